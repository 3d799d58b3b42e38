import dataclasses


@dataclasses.dataclass
class Config:
	spec: Spec = dataclasses.field(default_factory=Spec)  # here
