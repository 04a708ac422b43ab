"""Small scenes that the tests share; each takes well under a second."""

import pytest

import visviva as vv


@pytest.fixture
def falling():
    """A soft cube that falls onto the floor."""
    cube = vv.Body.cuboid([0.1, 0.1, 0.1], [2, 2, 2]).named("cube").at([0, 0, 0.06])
    return vv.Scene.new("A cube falls").body(cube).floor().step("1/100").duration(0.2).frame_rate(50)


@pytest.fixture
def floating():
    """A soft cube in space."""
    cube = vv.Body.cuboid([0.1, 0.1, 0.1], [1, 1, 1]).named("cube")
    return vv.Scene.new("A cube floats").body(cube).gravity([0, 0, 0]).step("1/100").duration(0.2)


@pytest.fixture
def held():
    """A soft bar, one end of which is held."""
    bar = vv.Body.cuboid([0.2, 0.05, 0.05], [4, 1, 1]).named("bar")
    return vv.Scene.new("A bar").body(bar).pin(vv.Pin.of("bar").plane([-0.1, 0, 0], [1, 0, 0])).step("1/60").duration(0.2)
