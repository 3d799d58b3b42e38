import dataclasses


@dataclasses.dataclass
class Config:
	spec: Spec = Spec()  # here
