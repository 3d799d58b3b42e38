@dataclass
class Config:
    sizes: list = field(default_factory=list)
    name: str = "a"
    kinds = []
