import pytest

from shardkit.partition import balance_layers, padded, shard, shard_size, stage_of


def test_first_ranks_own_one_more():
    assert [shard_size(10, rank, 4) for rank in range(4)] == [3, 3, 2, 2]


def test_refuses_a_rank_out_of_the_group():
    with pytest.raises(ValueError):
        shard_size(10, 4, 4)


def test_shards_cover_everything_once():
    values = list(range(10))
    assert sum((shard(values, rank, 4) for rank in range(4)), []) == values


def test_no_padding_where_none_is_needed():
    assert padded([1.0, 2.0], 2) == [1.0, 2.0]


def test_balances_layers():
    assert balance_layers([1, 1, 1, 1], 2) == [0, 2]
    assert balance_layers([4, 1, 1, 1, 1], 2) == [0, 1]


def test_refuses_more_stages_than_layers():
    with pytest.raises(ValueError):
        balance_layers([1, 1], 3)


def test_finds_the_stage_of_a_layer():
    assert [stage_of(layer, [0, 2]) for layer in range(4)] == [0, 0, 1, 1]
