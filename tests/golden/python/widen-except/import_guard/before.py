try:
    from apex.normalization import FusedRMSNorm  # here
except ImportError:  # here
    FusedRMSNorm = None
