import sys

sys.setrecursionlimit  # here
