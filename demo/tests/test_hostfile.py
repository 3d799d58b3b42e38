import pytest

from shardkit.hostfile import parse_hostfile, select_hosts, world_size

TEXT = "# the cluster\nnode-1 slots=4\nnode-2 slots=2  # half\n"


def test_reads_hosts_in_order():
    assert list(parse_hostfile(TEXT).items()) == [("node-1", 4), ("node-2", 2)]


def test_refuses_a_file_without_hosts():
    with pytest.raises(ValueError, match="names no host"):
        parse_hostfile("# nothing\n")


def test_refuses_other_lines():
    with pytest.raises(ValueError, match="line 1"):
        parse_hostfile("node-1 4\n")


def test_excludes_hosts():
    assert select_hosts(parse_hostfile(TEXT), exclude=["node-1"]) == {"node-2": 2}


def test_refuses_include_with_exclude():
    with pytest.raises(ValueError, match="together"):
        select_hosts({"a": 1}, include=["a"], exclude=["a"])


def test_counts_slots():
    assert world_size(parse_hostfile(TEXT)) == 6
