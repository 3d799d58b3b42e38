import flashinfer

flashinfer_version = flashinfer.version


def check():
    """At least 1."""
    return check > 1  # here
