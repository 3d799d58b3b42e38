import pytest

from shardkit import comm
from shardkit.config import Config
from shardkit.optimizer import Parameter, ShardedSGD, global_norm


@pytest.fixture
def params():
    comm.init(comm.FakeBackend())
    made = [Parameter("weight", [1.0, 2.0]), Parameter("bias", [0.0])]
    made[0].grad, made[1].grad = [3.0, 4.0], [0.0]
    return made


def test_norm_of_all_gradients(params):
    assert global_norm(params) == 5.0


def test_clips_to_the_limit(params):
    config = Config({})
    config.clip = 1.0
    assert ShardedSGD(params, config).clip_gradients() == 5.0
    assert global_norm(params) == pytest.approx(1.0)


def test_leaves_small_gradients_alone(params):
    config = Config({})
    config.clip = 10.0
    ShardedSGD(params, config).clip_gradients()
    assert params[0].grad == [3.0, 4.0]


def test_steps_against_the_gradient(params):
    config = Config({"learning_rate": 1.0})
    config.clip = 10.0
    optimizer = ShardedSGD(params, config)
    optimizer.step()
    assert params[0].values == [-2.0, -2.0]
    assert optimizer.state_dict()["steps"] == 1


def test_state_comes_back(params):
    optimizer = ShardedSGD(params, Config({}))
    optimizer.load_state_dict({"steps": 7, "momentum": {"weight": [1.0, 1.0], "bias": [2.0]}})
    assert optimizer.state_dict() == {
        "steps": 7,
        "momentum": {"weight": [1.0, 1.0], "bias": [2.0]},
    }


def test_strict_refuses_missing_state(params):
    with pytest.raises(KeyError, match="bias"):
        ShardedSGD(params, Config({})).load_state_dict({"steps": 1, "momentum": {"weight": [0, 0]}})
