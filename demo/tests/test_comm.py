import pytest

from shardkit import comm


def test_all_reduce_adds_the_ranks():
    comm.init(comm.FakeBackend(size=4))
    assert comm.all_reduce([1.0, 2.0]) == [4.0, 8.0]


def test_backend_refuses_an_empty_buffer():
    comm.init(comm.FakeBackend())
    with pytest.raises(ValueError):
        comm.all_reduce([])


def test_all_gather_lists_the_ranks():
    comm.init(comm.FakeBackend(size=2))
    assert comm.all_gather([1.0]) == [[1.0], [1.0]]


def test_reduce_scatter_of_one_rank_is_everything():
    comm.init(comm.FakeBackend())
    assert comm.reduce_scatter([1.0, 2.0]) == [1.0, 2.0]
