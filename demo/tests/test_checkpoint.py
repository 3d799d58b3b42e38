import pytest

from shardkit import checkpoint


def test_saved_state_is_loaded(tmp_path):
    checkpoint.save({"x": 1}, str(tmp_path), "step1")
    assert checkpoint.load_rank(str(tmp_path), "step1") == {"x": 1}
    assert checkpoint.latest_tag(str(tmp_path)) == "step1"


def test_no_checkpoint_is_not_an_error(tmp_path):
    assert checkpoint.latest_tag(str(tmp_path)) is None


@pytest.mark.parametrize("stage, whole", [(2, [1, 2, 3, 4]), (3, [1, 3, 2, 4])])
def test_merges_the_ranks(stage, whole):
    shards = [{"stage": stage, "state": {"momentum": {"w": part}}} for part in ([1, 2], [3, 4])]
    assert checkpoint.merge(shards)["momentum"] == {"w": whole}


def test_refuses_unknown_stages():
    with pytest.raises(ValueError, match="unknown stage 4"):
        checkpoint.split_key(4)
