try:
    from apex.normalization import FusedRMSNorm  # here
except Exception:  # here
    FusedRMSNorm = None
