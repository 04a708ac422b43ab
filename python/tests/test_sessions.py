"""Sessions: stepping, arrays, callbacks, threads, Ctrl-C, memory."""

import gc
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import visviva as vv


def test_a_body_in_free_fall_falls_as_it_should(falling):
    session = vv.Session(falling.integrator("trapezoidal"))
    start = session.positions[:27].mean(axis=0)
    session.run_until(0.03)
    assert session.steps == 3 and session.time == pytest.approx(0.03)
    fallen = session.positions[:27].mean(axis=0) - start
    assert fallen[2] == pytest.approx(-0.5 * 9.8 * 0.03**2, rel=1e-6)


def test_arrays_are_moments_that_outlive_the_session(falling):
    session = vv.Session(falling)
    x, v, vertices = session.positions, session.velocities, session.vertices
    kept = x.copy(), v.copy(), vertices.copy()
    session.step(5)
    assert not np.array_equal(session.positions, kept[0])
    contacts, mesh = session.contacts, session.mesh
    del session
    gc.collect()
    assert all(np.array_equal(now, then) for now, then in zip((x, v, vertices), kept))
    assert x.flags.owndata or x.base is not None
    x[:] = 0
    assert contacts.points.shape[1:] == (2, 3) and mesh.rest.shape == vertices.shape


def test_energies_contacts_and_books_fit_together(falling):
    session = vv.Session(falling)
    while session.row["active_pairs"] == 0 and session.time < 0.1:
        session.step()
    energies, row = session.energies, session.row
    assert energies.total == pytest.approx(sum(energies[:4]), rel=1e-12)
    assert row["total"] == energies.total and row["target"] == energies.wanted and row["step"] == session.steps
    (part,) = session.parts
    assert part["body"] == "cube" and part["kinetic"] == pytest.approx(energies.kinetic, rel=1e-9)
    contacts = session.contacts
    assert len(contacts.normal) == row["active_pairs"] > 0
    assert contacts.normal[:, 2].sum() > 0
    assert set(contacts.surfaces.ravel()) == {0, 1}


def test_a_checkpoint_goes_on_to_the_same_bits(falling, tmp_path):
    session = vv.Session(falling)
    session.step(6)
    session.checkpoint().write(tmp_path / "here.bin")
    session.step(6)
    first = session.positions
    session.restore(vv.Checkpoint.read(tmp_path / "here.bin"))
    assert session.steps == 6
    session.step(6)
    assert np.array_equal(session.positions, first)
    with pytest.raises(vv.RunError, match="another|others"):
        vv.Session(falling.set({"body.0.box.cells": [1, 1, 1]})).restore(vv.Checkpoint.read(tmp_path / "here.bin"))


def test_targets_change_under_way_as_text_or_in_words(falling):
    session = vv.Session(falling)
    session.step(2)
    session.set_target(vv.Energy.decay(0.1).ground(0))
    before = session.energies.wanted
    session.step(10)
    assert session.energies.wanted == pytest.approx(before * np.exp(-1), rel=0.05)
    session.set_target("conserve")
    session.set_gravity([0, 0, -1.6])
    session.set_integrator("bdf2")
    session.step()
    assert session.integrator == "bdf2"
    changed = [(set(change) - {"step"}).pop() for change in session.scene.words["change"]]
    assert changed == ["energy", "energy", "gravity", "integrator"]
    for wrong in ("decay:tau=-1", "forever", {"target": "decay"}, {"tua": 1}):
        with pytest.raises(vv.SceneError):
            session.set_target(wrong)
    with pytest.raises(vv.SceneError, match="three numbers"):
        session.set_gravity([0, 0])
    with pytest.raises(vv.SceneError, match="not finite"):
        session.set_gravity([0, 0, np.nan])


def test_callbacks_see_every_step_and_may_change_the_session(falling):
    session = vv.Session(falling)
    seen = []

    @session.on_step
    def watch(running):
        seen.append(running.time)
        if running.steps == 3:
            running.set_target("decay:tau=1")

    session.run_until(0.06)
    assert seen == pytest.approx([0.01, 0.02, 0.03, 0.04, 0.05, 0.06])
    assert session.scene.words["change"][0]["step"] == 3


def test_a_callback_that_raises_ends_stepping_and_the_step_stands(falling):
    session = vv.Session(falling)

    def stumble(running):
        if running.steps == 2:
            raise KeyError("no more")

    session.on_step(stumble)
    with pytest.raises(KeyError, match="no more"):
        session.step(5)
    assert session.steps == 2
    session.step(2)
    assert session.steps == 4


def test_a_callback_cannot_step_its_own_session(falling):
    session = vv.Session(falling)
    session.on_step(lambda running: running.step())
    with pytest.raises(vv.SceneError, match="return from it"):
        session.step()
    assert session.steps == 1


def test_other_threads_go_on_while_a_session_steps():
    cells = vv.Body.cuboid([0.2, 0.2, 0.2], [9, 9, 9]).velocity([0, 0, 1]).spin([1, 2, 3])
    session = vv.Session(vv.Scene.new("Many cells").body(cells).gravity([0, 0, 0]))
    counted = 0
    done = threading.Event()
    worker = threading.Thread(target=lambda: (session.step(2), done.set()))
    worker.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    worker.join()
    # Steps of tens of milliseconds: a thread that held the lock would let this one count once or twice.
    assert counted > 5


def test_a_session_dropped_in_mid_step_harms_nobody(falling):
    for _ in range(5):
        session = vv.Session(falling)
        worker = threading.Thread(target=session.step, args=(3,))
        worker.start()
        vertices = session.vertices
        del session
        gc.collect()
        worker.join()
        assert np.isfinite(vertices).all()


def test_two_threads_on_one_session_take_turns(falling):
    session = vv.Session(falling)
    workers = [threading.Thread(target=session.step, args=(4,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert session.steps == 8


def test_a_failing_step_says_what_to_do_and_leaves_the_session(held):
    session = vv.Session(held.integrator("explicit-euler").step(0.1).set({"body.0.velocity": {"linear": [0, 0, 9]}}))
    with pytest.raises(vv.RunError, match="Take a shorter step"):
        session.step(100)
    steps, x = session.steps, session.positions
    with pytest.raises(vv.RunError):
        session.step()
    assert session.steps == steps and np.array_equal(session.positions, x)


def test_memory_is_flat_over_ten_thousand_steps(floating):
    session = vv.Session(floating)

    def use(steps):
        for _ in range(steps):
            session.step()
            session.positions, session.vertices, session.row, session.energies
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    use(1000)
    before = use(1000)
    # An array of 8 nodes that leaked in every step would be 4 MB, a row of statistics 20 MB; pages come by the dozen.
    assert use(8000) - before < 2000


INTERRUPTED = """
import os, signal, threading, visviva as vv
scene = vv.Scene("bouncing-ball-soft", set={"body.0.ball": {"radius": 0.05, "shells": 2}, "run.duration": 1000})
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    vv.run(scene, out="run", progress=False)
except KeyboardInterrupt:
    run = vv.Run("run")
    print(run.summary["ending"]["kind"], run.summary["steps"] > 0, vv.Session.resume("run").steps == run.summary["steps"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_run_cleanly(tmp_path):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["interrupted", "True", "True"], done.stderr
    assert signal.SIGINT
