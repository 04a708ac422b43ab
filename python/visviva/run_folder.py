"""What a run left in its folder: rows, frames, measures, plots, pictures, exports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import _visviva
from .errors import RunError
from .meshes import to_pyvista
from .notebook import Page, Picture, Plot, run_page
from .scene import Scene
from .session import Contacts, Mesh


class Frame:
    """One moment of a run, read when it is asked for; arrays lie in the file until they are looked at."""

    def __init__(self, run: Run, index: int, step: int, t: float):
        self._run = run
        #: Its number in the folder
        self.index = index
        #: So many steps were done
        self.step = step
        #: [s]
        self.t = t

    @cached_property
    def _nodes(self) -> np.ndarray:
        path = self._run.path / "frames" / f"{self.index:06}.npy"
        try:
            nodes = np.load(path, mmap_mode="r")
        except (OSError, ValueError) as error:
            raise RunError(f"{path}: {error}") from error
        if nodes.ndim != 3 or nodes.shape[0] != 2 or nodes.shape[2] != 3:
            raise RunError(f"{path}: shape {nodes.shape} where (2, nodes, 3) is needed")
        return nodes

    @property
    def positions(self) -> np.ndarray:
        """Of the nodes, (nodes, 3) [m]."""
        return self._nodes[0]

    @property
    def velocities(self) -> np.ndarray:
        """Of the nodes, (nodes, 3) [m/s]."""
        return self._nodes[1]

    @property
    def vertices(self) -> np.ndarray:
        """Where what is seen is, (vertices, 3) [m]; the nodes themselves where there are no affine bodies."""
        return self._run._at_vertices(self.positions)

    @property
    def contacts(self) -> Contacts | None:
        """Where surfaces press on each other; None where the run did not write it (``run.contacts``)."""
        path = self._run.path / "contacts" / f"{self.index:06}.npy"
        if not path.exists():
            return None
        rows = np.load(path)
        return Contacts(rows[:, :6].reshape(-1, 2, 3), rows[:, 6:9], rows[:, 9:12], rows[:, 12:].astype(np.uint32))

    def to_pyvista(self):
        """The surfaces at this moment, for PyVista."""
        return to_pyvista(self.vertices, self._run.mesh)

    def __repr__(self) -> str:
        return f"<visviva.Frame {self.index} at t = {self.t:.4g} s>"


class Frames(Sequence):
    """All frames of a run, none of them read yet."""

    def __init__(self, run: Run):
        self._run = run
        path = run.path / "frames" / "times.csv"
        rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2) if path.stat().st_size > 13 else np.empty((0, 3))
        there = {int(index): (int(step), float(t)) for index, step, t in rows}
        self._listed = [(index, *there[index]) for index in sorted(there)]

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [Frame(self._run, *listed) for listed in self._listed[index]]
        return Frame(self._run, *self._listed[index])

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self._run, *listed) for listed in self._listed)

    @property
    def times(self) -> np.ndarray:
        """Of all frames [s]."""
        return np.array([t for _, _, t in self._listed])

    def at(self, t: float) -> Frame:
        """The one nearest to a time [s]."""
        return self[int(np.abs(self.times - t).argmin())]


class Run:
    """The folder of a run that is going on, has ended or was cut short."""

    def __init__(self, path: str | os.PathLike):
        self.path = Path(path)
        self._summary = _visviva.summary(os.fspath(path))

    @property
    def stats(self) -> dict[str, np.ndarray]:
        """stats.csv, a column each, which pandas, polars and Arrow take: ``pandas.DataFrame(run.stats)``, ``polars.DataFrame``,
        ``pyarrow.table``. NaN, or no text, where a cell does not apply. docs/scenes.md has the columns and their units."""
        columns = _visviva.stats(os.fspath(self.path))
        columns["alpha_outcome"] = np.array(columns["alpha_outcome"], dtype=np.str_)
        return columns

    @property
    def frames(self) -> Frames:
        """Frames, lazily: ``run.frames[-1].vertices``."""
        return Frames(self)

    @property
    def summary(self) -> dict[str, Any] | None:
        """How it went; None while it goes on, or where it was cut short."""
        return json.loads(self._summary) if self._summary is not None else None

    @cached_property
    def scene(self) -> Scene:
        """The scene that was run, with all changes made under way."""
        return Scene(self.path / "run.toml")

    @cached_property
    def mesh(self) -> Mesh:
        """Shapes at rest and which body owns what."""
        folder = self.path / "mesh"
        wires = folder / "wires.npy"
        bodies = json.loads((folder / "bodies.json").read_text(encoding="utf-8"))
        rest, tets, triangles = (np.load(folder / f"{name}.npy") for name in ("rest", "tets", "triangles"))
        return Mesh(rest, tets, triangles, np.load(wires) if wires.exists() else np.empty((0, 2), np.uint32), bodies)

    @cached_property
    def _attachments(self) -> tuple[np.ndarray, np.ndarray] | None:
        nodes, weights = self.path / "mesh" / "vertex_nodes.npy", self.path / "mesh" / "vertex_weights.npy"
        return (np.load(nodes), np.load(weights)) if nodes.exists() else None

    def _at_vertices(self, x: np.ndarray) -> np.ndarray:
        if self._attachments is None:
            return x
        first, weights = self._attachments
        # A vertex that is a node has the weights 1, 0, 0, 0.
        at = np.minimum(first[:, None] + np.arange(4), len(x) - 1)
        return np.einsum("vk,vkc->vc", weights, x[at])

    @property
    def condition(self) -> tuple[list[str], list[str]]:
        """What is not as the run left it, and what is worth knowing beside."""
        return _visviva.condition(os.fspath(self.path))

    def picture(
        self,
        at: float | None = None,
        *,
        superimpose: int | None = None,
        sheet: int | None = None,
        size: tuple[int, int] = (960, 540),
        color_by: str = "body",
        magnify: float = 1.0,
        edges: bool = False,
        ground: bool = True,
    ) -> Picture:
        """A picture of the moment nearest to a time [s] (the last where none is given), of several superimposed, or of a sheet.

        A notebook shows it; `Picture.write` writes it. ``color_by`` is ``body``, ``velocity``, ``energy`` or ``displacement``;
        ``magnify`` a factor on displacements; ``edges`` draws the mesh that is simulated."""
        png = _visviva.picture(
            os.fspath(self.path),
            at=at,
            superimpose=superimpose,
            sheet=sheet,
            size=size,
            color_by=color_by,
            magnify=magnify,
            edges=edges,
            ground=ground,
        )
        return Picture(png)

    def export(
        self,
        to: str = "vtu",
        out: str | os.PathLike | None = None,
        *,
        fps: float | None = None,
        every: int = 1,
        interpolate: bool = True,
    ) -> list[Path]:
        """Writes the motion for another program and returns what to open: usd, gltf, pc2, mdd, obj, vtu or npz.

        Into a folder of the format's name in the run's where ``out`` is not given. ``fps`` frames a second [1/s] at exact times,
        ``every`` n-th of them; without ``interpolate`` those that were computed, though their times be uneven."""
        where = None if out is None else os.fspath(out)
        return [Path(path) for path in _visviva.export(os.fspath(self.path), to, where, fps, every, interpolate)]

    def page(self, *, size: int | None = None) -> Page:
        """The run as a page to turn and to play, as ``visviva view --html`` writes it; its frames take at most ``size`` [MB]."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "run.html")
            limit = [] if size is None else ["--size", str(size)]
            command = [sys.executable, "-m", "visviva", "view", os.fspath(self.path), "--html", os.fspath(file), *limit]
            ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
            if ended.returncode != 0:
                raise RunError(ended.stderr.strip())
            return Page(file.read_text(encoding="utf-8"))

    def plot(self, what: str = "energy", *others: Run, labels: Sequence[str] = ()) -> Plot:
        """``energy``, ``terms``, ``angular-momentum``, ``alpha`` or ``newton`` over time, of this run and others together.

        A notebook shows it; `Plot.write` writes it."""
        folders = [os.fspath(run.path) for run in (self, *others)]
        return Plot(*_visviva.figure(folders, what, list(labels), 2.0))

    def measure(self, *also: str, reference: Run | None = None, drum: tuple[int, int] | None = None) -> dict[str, Any]:
        """What the run did, in numbers: turns, noise, energy off target … (as ``visviva measure`` has them).

        ``also`` are further ones, such as ``"ball.z.max"`` (docs/sweeps.md). ``reference`` is a run to compare angular momentum
        with, ``drum`` nodal diameters and circles of a drum's mode."""
        other = None if reference is None else os.fspath(reference.path)
        return json.loads(_visviva.measure([os.fspath(self.path)], other, drum, list(also)))[0]

    def verify(self, *, strict: bool = False) -> dict[str, Any]:
        """Judges every frame by exact arithmetic: ``clean`` says whether nothing intersects and nothing is inverted.

        ``strict`` counts what the scene allows as a failure too."""
        return json.loads(_visviva.verify(os.fspath(self.path), strict))

    def _repr_html_(self) -> str:
        return run_page(self)

    def __repr__(self) -> str:
        return f"<visviva.Run {str(self.path)!r}>"
