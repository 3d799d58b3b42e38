from dataclasses import dataclass, field


class Outer:
    @dataclass(frozen=True)
    class Config:
        # what is sharded
        spec: Spec = field(default_factory=lambda: Spec(1,
                          2))  # here
