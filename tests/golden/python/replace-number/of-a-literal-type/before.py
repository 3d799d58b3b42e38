from typing import Literal


def run(level: Literal[3]):  # here
    return "3 %d" % level
