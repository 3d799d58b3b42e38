import flashinfer

flashinfer_version = flashinfer.version


def check():
    """At least 1."""
    return flashinver_version > 1  # here
