"""Control loops: forces and pins that a program gives step by step."""

import numpy as np
import pytest

import visviva as vv


def test_a_force_on_a_body_accelerates_it_and_its_work_is_booked(floating):
    session = vv.Session(floating)
    mass = session.mass().sum() / 3
    work = own = 0
    for _ in range(10):
        session.push({"cube": [0, 0.02, 0]})
        session.step()
        work += session.row["work"]
        own += session.row["integrator_gain"] + session.row["alpha_energy"]
    # Newton leaves a part of 1e-7 of a node's way.
    assert session.row["py"] == pytest.approx(0.02 * 10 / 100, rel=1e-6)
    gained = session.energies.total
    assert gained == pytest.approx(0.5 * 0.002**2 / mass, rel=1e-6)
    assert gained == pytest.approx(work + own, rel=1e-9), "every joule has its cause"
    # Positions of implicit Euler go half a step's way too far: a tenth of the work in ten steps.
    assert gained == pytest.approx(work, rel=0.11)
    session.step()
    assert session.row["work"] == 0, "a force holds for one step"


def test_a_control_loop_holds_a_body_in_the_air(falling):
    session = vv.Session(falling.set({"body.0.translate": [0, 0, 0.5]}))
    mass = session.mass().sum() / 3

    @session.on_step
    def hover(running):
        x, v = running.positions[:27, 2].mean(), running.velocities[:27, 2].mean()
        running.push({"cube": [0, 0, mass * (9.8 + 200 * (0.5 - x) - 20 * v)]})

    session.run_until(1.5)
    assert session.positions[:27, 2].mean() == pytest.approx(0.5, abs=1e-3)


def test_forces_on_nodes_are_as_many_as_there_are_nodes(held):
    session = vv.Session(held)
    nodes = len(session.positions)
    session.push(np.full((nodes, 3), 1e-3))
    session.push(np.zeros((nodes, 3), dtype=np.int32))
    for wrong, said in [
        (np.zeros((nodes, 2)), "where"),
        (np.zeros((nodes + 1, 3)), "is needed"),
        (np.zeros(3 * nodes), "are needed"),
        (np.full((nodes, 3), np.nan), "row 0 holds NaN"),
        (np.full((nodes, 3), "x"), "numbers"),
        ({"bat": [0, 0, 1]}, "no body `bat`; there are: bar"),
    ]:
        with pytest.raises(vv.SceneError, match=said):
            session.push(wrong)


def test_a_pin_is_moved_and_stays(held):
    session = vv.Session(held)
    pinned = ~session.free.reshape(-1, 3)[:, 0]
    start = session.positions[pinned]
    session.move_pin(0, [0, 0, 0.002])
    session.step(3)
    assert np.allclose(session.positions[pinned], start + [0, 0, 0.002], atol=1e-15)
    session.move_pin(0, turn=([1, 0, 0], [0, 0, 0.002], np.pi / 60))
    session.step(2)
    turned = session.positions[pinned]
    assert np.allclose(np.linalg.norm(turned[:, 1:] - [0, 0.002], axis=1), np.linalg.norm(start[:, 1:], axis=1))
    assert not np.allclose(turned, start + [0, 0, 0.002], atol=1e-5)
    for wrong in ((1, [0, 0, 0]), (0, [0, 0]), (0, [0, 0, np.inf])):
        with pytest.raises(vv.SceneError):
            session.move_pin(*wrong)
    with pytest.raises(vv.SceneError, match="axis must not be zero"):
        session.move_pin(0, turn=([0, 0, 0], [0, 0, 0], 1))


def test_a_run_says_that_it_was_steered(held, tmp_path):
    run = vv.run(held, tmp_path / "run", progress=False, on_step=lambda session: session.push({"bar": [0, 0, 0.1]}))
    assert run.summary["steered_steps"] == run.summary["steps"] - 1
    assert any("run.toml does not hold that" in warning for warning in run.summary["warnings"])
    assert run.stats["work"][2:].all()
