"""Sweeps: every point once, whatever happens in between, here and on Ray."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import visviva as vv

SCENE = {
    "title": "Small box",
    "run": {"h": "1/100", "duration": 0.1, "frame_rate": 50},
    "material": [{"name": "rubber", "law": "corotated", "youngs_modulus": 1e5}],
    "body": [
        {
            "name": "cube",
            "material": "rubber",
            "box": {"size": [0.1, 0.1, 0.1], "cells": [3, 3, 3]},
            "velocity": {"angular": [0, 5, 0]},
        }
    ],
    "pin": [{"body": "cube", "plane": {"point": [-0.05, 0, 0], "normal": [1, 0, 0]}}],
}
GRID = {"material.rubber.youngs_modulus": vv.between(1e4, 1e6, 3, scale="log"), "run.h": ["1/100", "1/50"]}


def bits(folder: Path) -> list[bytes]:
    """All of a run but the clock."""
    rows = [line.rsplit(b",", 1)[0] for line in (folder / "stats.csv").read_bytes().splitlines()]
    return rows + [frame.read_bytes() for frame in sorted((folder / "frames").glob("*.npy"))]


def test_a_sweep_is_a_table_with_runs_and_plots(tmp_path):
    found = vv.sweep(SCENE, GRID, measures=["total.last", "cube.z.min"], out=tmp_path / "s", progress=False)
    assert len(found) == 6 and not found.failed and set(found.table["ending"]) == {"completed"}
    assert found.table["material.rubber.youngs_modulus"][0] == 1e4 and found.table["run.h"][1] == 1 / 50
    assert found.run(3).stats["total"][-1] == found.table["total.last"][3]
    assert {plot.suffix for plot in found.plots} == {".svg", ".png"}
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    read = parquet.read_table(tmp_path / "s" / "table.parquet")
    assert read.column_names == list(found.table) and read.to_pydict() == found.table


def test_what_is_finished_is_not_run_again(tmp_path):
    first = vv.sweep(SCENE, GRID, out=tmp_path, progress=False)
    stamps = [(first.run(k).path / "stats.csv").stat().st_mtime_ns for k in range(6)]
    again = vv.sweep(SCENE, {**GRID, "run.h": ["1/100", "1/50", "1/25"]}, out=tmp_path, progress=False)
    assert len(again) == 9
    known = [k for k in range(9) if again.table["run.h"][k] != 1 / 25]
    assert [(again.run(k).path / "stats.csv").stat().st_mtime_ns for k in known] == stamps


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ({"run.hh": [1, 2]}, "unknown field `hh`"),
        ({"run.h": [0.1, 0.1]}, "the same folder"),
        ({"run.h": []}, "the list is empty"),
        ({}, "nothing is swept"),
        ({"run.h": [object()]}, "no value of a scene"),
    ],
)
def test_what_cannot_be_run_is_refused_and_nothing_is_written(tmp_path, grid, words):
    with pytest.raises(vv.SceneError, match=words):
        vv.sweep(SCENE, grid, out=tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_a_point_that_fails_does_not_stop_the_others(tmp_path):
    grid = {"pin.0.plane.point": [[-0.05, 0, 0], [7, 0, 0], [0.05, 0, 0]]}
    found = vv.sweep(SCENE, grid, out=tmp_path, progress=False)
    assert list(found.failed) == [1] and found.table["ending"].count("completed") == 2


def test_ctrl_c_ends_a_sweep_and_the_same_call_goes_on(tmp_path):
    def call(out: str) -> vv.Sweep:
        return vv.sweep(SCENE, {"run.h": ["1/400"]}, set={"run.duration": 1}, out=tmp_path / out, progress=False)

    def press() -> None:
        rows = tmp_path / "cut/points/h=1-400/stats.csv"
        while not rows.exists() or rows.read_text().count("\n") < 10:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        call("cut")
        time.sleep(10)
    assert '"interrupted"' in (tmp_path / "cut/points/h=1-400/summary.json").read_text()
    assert call("cut").table["ending"] == ["completed"]
    call("whole")
    assert bits(tmp_path / "cut/points/h=1-400") == bits(tmp_path / "whole/points/h=1-400")


def test_on_ray_a_worker_that_is_killed_costs_no_point(tmp_path):
    pytest.importorskip("ray", reason="the package ray is not installed: sweeps on Ray are not tried")
    from ray_cluster import Cluster, kill_a_worker

    grid = {"material.rubber.youngs_modulus": vv.between(1e4, 1e6, 8, scale="log")}
    words = {"measures": ["total.last"], "set": {"run.duration": 1, "run.h": "1/200"}, "progress": False}
    with Cluster(nodes=2):
        killed = threading.Thread(target=kill_a_worker)
        killed.start()
        far = vv.sweep(SCENE, grid, out=tmp_path / "far", on="ray", **words)
        killed.join()
    near = vv.sweep(SCENE, grid, out=tmp_path / "near", **words)
    assert far.table["ending"] == ["completed"] * 8 and far.table["total.last"] == near.table["total.last"]
    for k in range(8):
        assert bits(far.run(k).path) == bits(near.run(k).path)
