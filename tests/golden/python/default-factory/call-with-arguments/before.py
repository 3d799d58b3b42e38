from dataclasses import dataclass, field


class Outer:
    @dataclass(frozen=True)
    class Config:
        # what is sharded
        spec: Spec = Spec(1,
                          2)  # here
