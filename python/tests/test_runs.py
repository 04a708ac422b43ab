"""Recorded runs and what is read of their folders."""

import subprocess
import sys

import numpy as np
import pytest

import visviva as vv


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    bodies = [
        vv.Body.cuboid([0.1, 0.1, 0.1], [2, 2, 2]).named("soft").at([0, 0, 0.06]),
        vv.Body.icosphere(0.05, 1).affine().named("stone").at([0.3, 0, 0.06]).spin_about([0, 9, 2], [0.3, 0, 0.06]),
    ]
    scene = vv.Scene.new("Two bodies fall", body=bodies).floor().step("1/100").duration(0.2).frame_rate(50)
    return vv.run(scene.set({"run.contacts": True}), tmp_path_factory.mktemp("runs") / "two", progress=False)


def test_a_run_has_the_bits_of_the_command(falling, tmp_path):
    (tmp_path / "scene.toml").write_text(falling.to_toml())
    command = [sys.executable, "-m", "visviva", "run", "scene.toml", "--out", "by-command", "--quiet"]
    assert subprocess.run(command, cwd=tmp_path).returncode == 0
    here, there = vv.run(falling, tmp_path / "by-python", progress=False), vv.Run(tmp_path / "by-command")
    assert len(here.frames) == len(there.frames) == 11
    assert all(np.array_equal(a.positions, b.positions) for a, b in zip(here.frames, there.frames))


def test_statistics_are_taken_by_pandas_polars_and_arrow(run):
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    stats = run.stats
    frame, other, table = pandas.DataFrame(stats), polars.DataFrame(stats), pyarrow.table(stats)
    assert list(frame.columns) == other.columns == table.column_names == list(stats)
    assert len(frame) == len(other) == table.num_rows == 21
    for column in ("step", "total", "converged", "alpha_outcome"):
        assert frame[column].tolist() == other[column].to_list() == table[column].to_pylist() == stats[column].tolist()
    assert frame["total"].iloc[-1] == run.summary["end_energy"]


def test_frames_are_read_when_they_are_looked_at(run):
    frames = run.frames
    assert len(frames) == 11 and frames.at(0.101).t == pytest.approx(0.1)
    last = frames[-1]
    assert isinstance(last.positions, np.memmap) and not last.positions.flags.writeable
    assert last.positions.shape == last.velocities.shape
    # The stone hangs on four nodes; it is as round as it was.
    begin, end = run.mesh.bodies[1]["vertices"]
    stone = last.vertices[begin:end]
    assert np.allclose(np.linalg.norm(stone - stone.mean(axis=0), axis=1), 0.05, rtol=1e-3)
    assert any(frame.contacts.normal[:, 2].sum() > 0 for frame in frames)
    assert [frame.index for frame in frames[2:4]] == [2, 3]
    with pytest.raises(IndexError):
        frames[11]


def test_measures_verification_plots_pictures_and_exports(run, tmp_path):
    measured = run.measure()
    assert measured["time"] == pytest.approx(0.2) and measured["off_target"] < 0.5
    assert run.verify()["clean"]
    plot = run.plot("terms")
    assert plot.svg.startswith("<svg") and plot.write(tmp_path / "terms.png").read_bytes().startswith(b"\x89PNG")
    both = run.plot("energy", run, labels=["first", "second"]).svg
    assert "first" in both and "second" in both
    picture = run.picture(superimpose=3, size=(160, 90))
    assert picture.png.startswith(b"\x89PNG")
    (written,) = run.export("npz", tmp_path / "motion.npz", fps=25)
    assert np.load(written)["soft/positions"].shape[0] == 6
    for wrong in (
        lambda: run.plot("enrgy"),
        lambda: run.plot("energy", labels=["a", "b"]),
        lambda: run.picture(size=(0, 9)),
        lambda: run.picture(color_by="mood"),
        lambda: run.export("doc"),
        lambda: run.export("npz", fps=-1),
        lambda: plot.write(tmp_path / "terms.doc"),
    ):
        with pytest.raises(vv.SceneError):
            wrong()


def test_a_notebook_shows_a_run(run):
    page = run._repr_html_()
    assert "Two bodies fall" in page and page.count("data:image/png;base64,") == 2


def test_a_callback_that_raises_leaves_a_run_that_can_go_on(falling, tmp_path):
    def stumble(session):
        if session.steps == 5:
            raise ZeroDivisionError("no more")

    with pytest.raises(ZeroDivisionError):
        vv.run(falling, tmp_path / "run", progress=False, on_step=stumble)
    summary = vv.Run(tmp_path / "run").summary
    assert summary["ending"] == {"kind": "failed", "reason": "ZeroDivisionError: no more"} and summary["steps"] == 5
    whole = vv.run(falling, tmp_path / "whole", progress=False)
    resumed = vv.resume(tmp_path / "run", progress=False)
    assert resumed.summary["ending"]["kind"] == "completed"
    assert np.array_equal(resumed.frames[-1].positions, whole.frames[-1].positions)


def test_nothing_is_half_written_and_nothing_is_overwritten_unasked(falling, tmp_path):
    out = tmp_path / "run"
    for wrong in ({"run.h": -1}, {"gravity": [0, 0, float("nan")]}, {"body.0.box.cels": 3}, {"body.0.translate": [0, 0, 0.04]}):
        with pytest.raises(vv.SceneError):
            vv.run(falling, out, set=wrong, progress=False)
        assert not out.exists()
    vv.run(falling, out, progress=False)
    before = (out / "stats.csv").read_bytes()
    with pytest.raises(vv.RunError, match="not empty"):
        vv.run(falling, out, progress=False)
    assert (out / "stats.csv").read_bytes() == before
    assert vv.run(falling, out, overwrite=True, progress=False).summary["ending"]["kind"] == "completed"


def test_folders_that_are_no_runs_are_named(tmp_path):
    with pytest.raises(vv.RunError, match="there is no such folder"):
        vv.Run(tmp_path / "nowhere")
    with pytest.raises(vv.RunError, match="not the folder of a run"):
        vv.Run(tmp_path)


def test_a_damaged_frame_is_named(falling, tmp_path):
    run = vv.run(falling, tmp_path / "run", progress=False)
    (tmp_path / "run" / "frames" / "000003.npy").write_bytes(b"no array")
    with pytest.raises(vv.RunError, match="000003.npy"):
        run.frames[3].positions
    damage, _ = run.condition
    assert any("000003.npy" in what for what in damage)


def test_progress_is_told_on_standard_error(falling, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("visviva.progress._LINE", 0.0)
    vv.run(falling, tmp_path / "run")
    told = capfd.readouterr()
    assert "100 %" in told.err and told.out == ""


def test_a_run_is_a_page_to_play(run, tmp_path):
    page = run.page()
    assert 'id="run"' in page.html and page._repr_html_().startswith("<iframe")
    assert page.write(tmp_path / "run.html").stat().st_size > 10_000
    with pytest.raises(vv.RunError, match="size"):
        run.page(size=0)
