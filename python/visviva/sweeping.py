"""Sweeps: a scene at many points, on this machine or on a Ray cluster, gathered into one table."""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import _visviva
from .errors import RunError, SceneError
from .run_folder import Run
from .scene import Scene


def between(start: float, end: float, count: int | None = None, *, scale: str = "linear", whole: bool = False) -> dict[str, Any]:
    """``count`` values from ``start`` to ``end``, both included; ``scale="log"`` spaces them evenly in orders of magnitude.

    Samples are drawn from the range and need no ``count``; ``whole`` takes whole numbers only."""
    words = {"from": start, "to": end, "scale": scale, "whole": whole}
    return words if count is None else {**words, "count": count}


def sweep(
    scene: Scene | str | os.PathLike | Mapping[str, Any],
    grid: Mapping[str, Any] | None = None,
    *,
    out: str | os.PathLike,
    measures: Sequence[str] = (),
    rows: Mapping[str, Sequence] | None = None,
    sample: Mapping[str, Any] | None = None,
    samples: int = 0,
    method: str = "latin-hypercube",
    seed: int = 0,
    set: Mapping[str, Any] | None = None,  # noqa: A002, the command's word
    on: str = "local",
    jobs: int | None = None,
    threads: int | None = None,
    retries: int = 5,
    retry_failed: bool = False,
    overwrite: bool = False,
    progress: bool = True,
) -> Sweep:
    """Runs a scene at every point of a sweep and returns what was found.

    ``grid`` has lists or ranges (`between`) of values for keys, as ``set`` names them, and every combination is a point; the
    columns of ``rows`` go on together; ``samples`` points are drawn from the ranges in ``sample``. ``measures`` are what is
    gathered of each run: ``noise``, ``total.last``, ``ball.z.max``; docs/sweeps.md has them all.

    ``on="local"`` shares the cores of this machine, ``on="ray"`` hands the points to the Ray cluster that `ray` is connected to or
    finds: a task a point with ``threads`` CPUs each (1 where it is not given), begun again up to ``retries`` times where its worker
    died, from its last checkpoint. ``out`` must then be a folder that all machines see.

    A point that is finished is not run again, and one that was cut short goes on: the same call goes on with a sweep. One that
    fails does not stop the others; `Sweep.failed` tells. What cannot be run as it stands is refused before anything is written.
    """
    if on not in ("local", "ray"):
        raise SceneError(f'on="{on}": it is "local" or "ray"')
    scene = scene if isinstance(scene, Scene) else Scene(scene)
    words: dict[str, Any] = {"scene": scene.name, "measures": list(measures), "set": dict(set or {}), "grid": dict(grid or {})}
    words["list"] = dict(rows or {})
    if sample:
        words["sample"] = {"method": method, "count": samples, "seed": seed, "over": dict(sample)}
    plan = _Plan(scene, words, Path(out).absolute())
    plan.native.check_folders(overwrite)
    if on == "ray":
        outcomes = _run_on_ray(plan, threads or 1, retries, retry_failed, overwrite, progress)
    else:
        outcomes = _run_here(plan, jobs, threads, retry_failed, overwrite, progress)
    columns, files = plan.native.gather(outcomes)
    return Sweep(plan.out, columns, [Path(file) for file in files])


class Sweep:
    """What a sweep found: a table with a row a point, the runs, and plots."""

    def __init__(self, path: Path, table: dict[str, list], files: list[Path]):
        self.path = path
        #: Columns by name: ``point``, ``folder``, the parameters, ``ending``, ``reason``, the measures, ``wall_s`` [s]
        self.table = table
        #: Charts as SVG and PNG
        self.plots = [file for file in files if file.parent.name == "plots"]

    def __len__(self) -> int:
        return len(self.table["point"])

    def to_pandas(self):
        """The table as a pandas data frame."""
        import pandas

        return pandas.DataFrame(self.table)

    def run(self, point: int) -> Run:
        """The run of a point."""
        return Run(self.path / self.table["folder"][point])

    @property
    def failed(self) -> dict[int, str]:
        """Points that failed, and why."""
        ended = zip(self.table["point"], self.table["ending"], self.table["reason"])
        return {int(point): reason for point, ending, reason in ended if ending == "failed"}

    def _repr_png_(self) -> bytes | None:
        """In a notebook a sweep shows its first chart."""
        charts = [plot for plot in self.plots if plot.suffix == ".png"]
        return charts[0].read_bytes() if charts else None

    def __repr__(self) -> str:
        done = self.table["ending"].count("completed")
        return f"<visviva.Sweep {str(self.path)!r}: {done} of {len(self)} points done>"


class _Plan:
    """What workers need to know of a sweep; each makes the plan itself, once."""

    def __init__(self, scene: Scene, words: dict[str, Any], out: Path):
        self._key = pickle.dumps((scene, words, out))
        self.out = out

    @property
    def native(self) -> _visviva.Sweep:
        return _planned(self._key)


@lru_cache(maxsize=8)
def _planned(key: bytes) -> _visviva.Sweep:
    scene, words, out = pickle.loads(key)
    return _visviva.Sweep(scene._native, words, os.fspath(out))


def _left(plan: _Plan) -> tuple[list[tuple], list[tuple]]:
    """Points to run, and outcomes of those that are finished."""
    points = plan.native.points()
    return [point for point in points if not point[4]], [plan.native.look_at(point[0]) for point in points if point[4]]


def _run_here(plan: _Plan, jobs, threads, retry: bool, overwrite: bool, progress: bool) -> list[tuple]:
    left, finished = _left(plan)
    shown = _Progress(len(left), sum(point[3] for point in left), progress)
    try:
        indices = [point[0] for point in left]
        outcomes = plan.native.run(indices, jobs, threads, retry, overwrite, shown.tell) if indices else []
    finally:
        shown.end()
    return sorted(finished + outcomes)


def _run_on_ray(plan: _Plan, threads: int, retries: int, retry: bool, overwrite: bool, progress: bool) -> list[tuple]:
    try:
        import ray
    except ImportError as error:
        raise RunError('on="ray" needs the package ray: pip install "ray[default]"') from error
    if not ray.is_initialized():
        try:
            ray.init(address=os.environ.get("RAY_ADDRESS", "auto"), logging_level="error")
        except ConnectionError as error:
            raise RunError("there is no Ray cluster: start one with `ray start --head`, or call ray.init()") from error
    left, finished = _left(plan)
    remote = ray.remote(num_cpus=threads, max_retries=retries, retry_exceptions=[_Busy])(_run_point)
    tasks = {remote.remote(plan, point[0], threads, retry, overwrite): point for point in left}
    shown = _Progress(len(left), sum(point[3] for point in left), progress)
    outcomes, steps, waiting = [], 0, list(tasks)
    try:
        while waiting:
            ended, waiting = ray.wait(waiting, num_returns=1, timeout=0.5)
            for task in ended:
                index, steps = tasks[task][0], steps + tasks[task][3]
                try:
                    outcomes.append(ray.get(task))
                except ray.exceptions.RayError as error:
                    # Its worker died more often than it may, or Ray could not place it.
                    outcomes.append((index, "failed", f"{type(error).__name__}: {str(error).splitlines()[0]}", [], None))
            shown.tell(steps, len(outcomes))
    except BaseException:
        for task in waiting:
            ray.cancel(task)
        raise
    finally:
        shown.end()
    return sorted(finished + outcomes)


class _Busy(Exception):
    """Another process has the point still: one that Ray took for dead, perhaps."""


def _run_point(plan: _Plan, index: int, threads: int, retry: bool, overwrite: bool) -> tuple:
    """On a worker."""
    (outcome,) = plan.native.run([index], 1, threads, retry, overwrite)
    if outcome[1] == "running":
        time.sleep(2)
        raise _Busy(f"point {index} is being run by another process")
    return outcome


class _Progress:
    """A line that is written over in a terminal, one now and then elsewhere."""

    def __init__(self, points: int, steps: int, shown: bool):
        self._points, self._steps, self._shown = points, max(steps, 1), shown and points > 0
        self._begun = self._told = time.monotonic()
        self._live = sys.stderr.isatty()

    def tell(self, steps: int, ended: int) -> None:
        now = time.monotonic()
        if not self._shown or now - self._told < (0.2 if self._live else 10.0):
            return
        self._told = now
        line = f"{100 * steps // self._steps:>3} %  {ended} of {self._points} points"
        if steps > 0:
            line += f"  {(now - self._begun) / steps * max(self._steps - steps, 0):.0f} s left"
        sys.stderr.write(f"\r\033[K{line}" if self._live else f"{line}\n")
        sys.stderr.flush()

    def end(self) -> None:
        if self._shown and self._live:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
