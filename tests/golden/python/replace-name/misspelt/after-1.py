import flashinfer

flashinfer_version = flashinfer.version


def check():
    """At least 1."""
    return flashinfer_version > 1  # here
