"""shardkit: a small stand-in for a distributed training framework, in plain Python.

Parameters are lists of floats and ranks live in one process, so that a run takes milliseconds. The
shapes of the code (launcher, partitions, buckets, sharded state) are those of the real ones.
"""

__version__ = "0.4.1"
