"""A scene that is going on: step it, look at it, change it under way."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _visviva
from .errors import SceneError
from .scene import Scene


class Energies(NamedTuple):
    """Where the energy is [J]."""

    kinetic: float
    elastic: float
    gravity: float
    #: Of surfaces that repel each other
    barrier: float
    total: float
    #: The total that the target asks for
    wanted: float


class Contacts(NamedTuple):
    """Where surfaces press on each other, a row for each pair; the second surface feels the opposite forces."""

    #: Ends of the gap on both surfaces, (pairs, 2, 3) [m]
    points: np.ndarray
    #: Force of the barrier on the first surface, (pairs, 3) [N]
    normal: np.ndarray
    #: Friction on the first surface, (pairs, 3) [N]
    friction: np.ndarray
    #: The two surfaces, counted as in `Mesh.bodies`, (pairs, 2)
    surfaces: np.ndarray


class Mesh(NamedTuple):
    """Shapes at rest, all bodies and then obstacles in one numbering of vertices."""

    #: Vertices at rest, (n, 3) [m]
    rest: np.ndarray
    #: (n, 4)
    tets: np.ndarray
    #: Surfaces, counter-clockwise seen from outside, (n, 3)
    triangles: np.ndarray
    #: Edges that belong to no triangle, (n, 2)
    wires: np.ndarray
    #: name, kind, material, and ranges [first, end) of vertices, tets and triangles of each
    bodies: list[dict[str, Any]]


class Session:
    """A scene and how far it has come.

    Arrays are moments: what was asked for stays as it is when the session goes on or is gone. Steps run without Python's lock, so
    that other threads go on meanwhile; Ctrl-C ends a session after its step, which stands.
    """

    def __init__(self, scene: Scene | str | os.PathLike | Mapping[str, Any]):
        """Builds the scene, and finds the energy of its bodies at rest where it asks for that."""
        self._begin(scene if isinstance(scene, Scene) else Scene(scene))

    def _begin(self, scene: Scene) -> None:
        self._name = scene.name
        self._native = _visviva.Session(scene._native)
        self._callbacks: list[Callable[[Session], Any]] = []
        self._in_callback = False

    @classmethod
    def resume(cls, folder: str | os.PathLike, *, force: bool = False) -> Session:
        """Goes on with the run in a folder, from its last checkpoint, to the same bits as if it had not been interrupted.

        ``force`` goes on although files were altered; what is replaced is kept beside it."""
        session = cls.__new__(cls)
        session._name = os.fspath(folder)
        session._native = _visviva.Session.resume(os.fspath(folder), force)
        session._callbacks, session._in_callback = [], False
        return session

    def record(self, out: str | os.PathLike, *, overwrite: bool = False) -> None:
        """Writes everything into a run folder from here on; to be asked for before the first step."""
        self._native.record(os.fspath(out), overwrite, self._name)

    def step(self, count: int = 1) -> None:
        """Takes so many steps, and calls callbacks after each. Where one fails, all is as it was before it."""
        if self._in_callback:
            raise SceneError("a callback asked its own session for a step: return from it, and the session goes on")
        for _ in range(count):
            self._native.step()
            self._call_back()

    def run_until(self, t: float) -> None:
        """Goes on to the step that ends nearest to a time [s]."""
        self.step(max(0, self._native.step_at(t) - self.steps))

    def on_step(self, callback: Callable[[Session], Any]) -> Callable[[Session], Any]:
        """Calls this with the session after each step, in the order of asking; it may look, change the target and so on.

        What it raises comes out of `step`, and the step stands. Can be used as a decorator."""
        self._callbacks.append(callback)
        return callback

    def _call_back(self) -> None:
        self._in_callback = True
        try:
            for callback in self._callbacks:
                callback(self)
        finally:
            self._in_callback = False

    def conclude(self, ending: str = "completed") -> dict[str, Any]:
        """Ends a recorded run with its last checkpoint and its summary, which is returned.

        ``ending`` is ``completed``, ``interrupted``, or why it failed."""
        return json.loads(self._native.conclude(ending))

    @property
    def time(self) -> float:
        """Simulated so far [s]."""
        return self._native.time

    @property
    def steps(self) -> int:
        """Done so far."""
        return self._native.steps

    @property
    def step_count(self) -> int:
        """Steps that the scene asks for."""
        return self._native.step_count

    @property
    def positions(self) -> np.ndarray:
        """Of the nodes, (nodes, 3) [m]. Vertices are nodes but for affine bodies, which have four nodes each."""
        return self._native.positions

    @property
    def velocities(self) -> np.ndarray:
        """Of the nodes, (nodes, 3) [m/s]."""
        return self._native.velocities

    @property
    def vertices(self) -> np.ndarray:
        """Where what is seen and touched is, (vertices, 3) [m], in the order of `mesh`."""
        return self._native.vertices

    @property
    def energies(self) -> Energies:
        """Where the energy is [J]."""
        return Energies(*self._native.energies)

    @property
    def row(self) -> dict[str, Any]:
        """What the last step did, by the columns of stats.csv; at first the start. None where a column does not apply."""
        return self._native.row

    @property
    def contacts(self) -> Contacts:
        """Where surfaces press on each other, friction as it was in the last step."""
        points, normal, friction, surfaces = self._native.contacts
        return Contacts(points.reshape(-1, 2, 3), normal, friction, surfaces)

    @property
    def mesh(self) -> Mesh:
        """Shapes at rest and which body owns what."""
        parts = self._native.mesh
        return Mesh(**{**parts, "bodies": json.loads(parts["bodies"])})

    @property
    def scene(self) -> Scene:
        """The scene as it is run, with the changes made so far."""
        scene = Scene.__new__(Scene)
        scene._native, scene._meshes = self._native.scene, []
        return scene

    @property
    def integrator(self) -> str:
        """The method in use."""
        return self._native.integrator

    @property
    def warnings(self) -> list[str]:
        """What is doubtful about the scene or the folder it was taken from."""
        return self._native.warnings

    def set_target(self, target: str | Mapping[str, Any]) -> None:
        """Another energy wanted from the next step on: ``"conserve"``, ``"decay:tau=2"``, ``vv.Energy.decay(2)``.

        It starts from the present level, save for curves, which are levels themselves. It is written down with its step."""
        self._native.set_target(target)

    def set_gravity(self, gravity) -> None:
        """Another gravity from the next step on [m/s²]; nothing is lost or gained by the change. It is written down."""
        self._native.set_gravity(tuple(float(g) for g in gravity))

    def set_integrator(self, integrator: str) -> None:
        """Another method from the next step on, such as ``a-search:max=1.2``. It is written down."""
        self._native.set_integrator(integrator)

    def checkpoint(self) -> _visviva.Checkpoint:
        """Where it stands now, to go back to."""
        return self._native.checkpoint()

    def restore(self, checkpoint: _visviva.Checkpoint) -> None:
        """Goes to a checkpoint of the same scene, forth or back; a run folder that is being written loses what came after."""
        self._native.restore(checkpoint)

    def __repr__(self) -> str:
        return f"<visviva.Session {self.scene.title!r} after {self.steps} steps, t = {self.time:.4g} s>"
