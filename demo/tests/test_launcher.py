import pytest

from shardkit.launcher import exports, node_env, parse_args, rank_from_env


def test_reads_the_script_and_its_arguments():
    args = parse_args(["--master-port", "1234", "train.py", "--lr", "0.1"])
    assert (args.master_port, args.script, args.script_args) == (1234, "train.py", ["--lr", "0.1"])


def test_ranks_follow_those_of_earlier_hosts():
    env = node_env({"a": 2, "b": 4}, "b")
    assert (env["FIRST_RANK"], env["LOCAL_SIZE"], env["WORLD_SIZE"]) == ("2", "4", "6")


def test_one_process_without_a_launcher():
    assert rank_from_env({}) == (0, 1)


def test_refuses_a_rank_out_of_the_world():
    with pytest.raises(ValueError):
        rank_from_env({"WORLD_SIZE": "0"})


def test_exports_what_is_set():
    assert exports({"PATH": "/bin", "HOME": "/x"}) == {"PATH": "/bin"}
