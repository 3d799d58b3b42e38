from dataclasses import dataclass


@dataclass
class Config:
    name: str = "a"
    sizes: list = []  # here
