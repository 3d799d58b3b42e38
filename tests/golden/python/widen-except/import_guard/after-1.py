try:
    from apex.normalization import FusedRMSNorm  # here
except (ImportError, AttributeError):  # here
    FusedRMSNorm = None
