from dataclasses import dataclass, field


@dataclass
class Config:
    name: str = "a"
    sizes: list = field(default_factory=list)  # here
