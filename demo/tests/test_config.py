import pytest

from shardkit.config import Config


def test_defaults():
    config = Config({}, world_size=2)
    assert (config.train_batch_size, config.stage, config.clip) == (2, 1, None)


def test_refuses_unknown_keys():
    with pytest.raises(ValueError, match="unknown configuration keys: stages"):
        Config({"stages": 1})


def test_batches_must_divide():
    with pytest.raises(ValueError, match="does not divide"):
        Config({"train_batch_size": 3}, world_size=2)


def test_accumulates():
    assert Config({"train_batch_size": 8}, world_size=2).accumulation_steps() == 4
