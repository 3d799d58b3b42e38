from packaging import version

import engine

OLD = version.parse("1.2")


def supports_graphs(required):
    return version.parse(engine.__version__) >= version.parse(required)  # here


def supports_streams(minimum):
    return version.parse(engine.__version__) >= version.parse(minimum)
