"""A scene that is going on: step it, look at it, change it under way."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _visviva
from .errors import SceneError
from .meshes import to_pyvista
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
        scene = scene if isinstance(scene, Scene) else Scene(scene)
        self._begin(_visviva.Session(scene._native), scene.name, scene._meshes)

    def _begin(self, native: _visviva.Session, name: str, meshes: list) -> None:
        self._native, self._name, self._meshes = native, name, meshes
        self._callbacks: list[Callable[[Session], Any]] = []
        #: Threads that are in a callback
        self._calling: set[int] = set()

    @classmethod
    def resume(cls, folder: str | os.PathLike, *, force: bool = False) -> Session:
        """Goes on with the run in a folder, from its last checkpoint, to the same bits as if it had not been interrupted.

        ``force`` goes on although files were altered; what is replaced is kept beside it."""
        session = cls.__new__(cls)
        session._begin(_visviva.Session.resume(os.fspath(folder), force), os.fspath(folder), [])
        return session

    def record(self, out: str | os.PathLike, *, overwrite: bool = False) -> None:
        """Writes everything into a run folder from here on; to be asked for before the first step."""
        self._native.record(os.fspath(out), overwrite, self._name)

    def step(self, count: int = 1) -> None:
        """Takes so many steps, and calls callbacks after each. Where one fails, all is as it was before it."""
        if threading.get_ident() in self._calling:
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
        if not self._callbacks:
            return
        self._calling.add(threading.get_ident())
        try:
            for callback in self._callbacks:
                callback(self)
        finally:
            self._calling.discard(threading.get_ident())

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
        parts = self._native.contacts
        return Contacts(**{**parts, "points": parts["points"].reshape(-1, 2, 3)})

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Energies, losses and work of the last step [J] and momenta of each body, by the columns of bodies.csv; ``nodes`` is the
        range [first, end) of its nodes."""
        return json.loads(self._native.parts)

    @property
    def mesh(self) -> Mesh:
        """Shapes at rest and which body owns what."""
        parts = self._native.mesh
        return Mesh(**{**parts, "bodies": json.loads(parts["bodies"])})

    @property
    def scene(self) -> Scene:
        """The scene as it is run, with the changes made so far."""
        scene = Scene.__new__(Scene)
        scene._native, scene._meshes = self._native.scene, self._meshes
        return scene

    @property
    def integrator(self) -> str:
        """The method in use."""
        return self._native.integrator

    @property
    def warnings(self) -> list[str]:
        """What is doubtful about the scene or the folder it was taken from."""
        return self._native.warnings

    def set_target(self, target: str | Mapping[str, Any], body: str | None = None) -> None:
        """Another energy wanted from the next step on: ``"conserve"``, ``"decay:tau=2"``, ``vv.Energy.decay(2)``.

        It starts from the present level, save for curves, which are levels themselves. It is written down with its step.
        With ``body`` it is wanted of that one alone, where bodies are directed one by one (``energy.by = "island"``)."""
        self._native.set_target(target, body)

    def push(self, forces: np.ndarray | Mapping[str, Any]) -> None:
        """Pushes throughout the next step with forces on nodes, (nodes, 3) [N], or on bodies by name, ``{"ball": [0, 0, 1]}`` [N],
        spread as their mass is. What they do is booked as ``work``.

        They hold for one step and are not written down: to run a recorded folder's run.toml again gives the motion without them,
        and its summary says so."""
        if isinstance(forces, Mapping):
            forces = self._spread(forces)
        forces = np.asarray(forces)
        if forces.ndim != 2 or forces.dtype.kind not in "iuf":
            raise SceneError(f"forces: an array of shape {forces.shape} and {forces.dtype}, where numbers (nodes, 3) are needed")
        self._native.push(np.ascontiguousarray(forces, dtype=np.float64))

    def _spread(self, forces: Mapping[str, Any]) -> np.ndarray:
        spread = np.zeros(self.positions.shape)
        weights = np.bincount(*self._mass_rows, minlength=spread.size)[::3]
        nodes = {body["body"]: slice(*body["nodes"]) for body in self.parts}
        for name, force in forces.items():
            if name not in nodes:
                raise SceneError(f"forces: there is no body `{name}`; there are: {', '.join(nodes)}")
            own = weights[nodes[name]]
            spread[nodes[name]] = own[:, None] / own.sum() * np.asarray(force, dtype=np.float64)
        return spread

    @cached_property
    def _mass_rows(self) -> tuple[np.ndarray, np.ndarray]:
        rows, _, values = self._native.mass
        return rows, values

    def move_pin(self, pin: int, shift: Sequence[float] = (0, 0, 0), *, turn: tuple | None = None) -> None:
        """Moves all nodes of a pin of the scene, counted from 0, in the next step: by a shift [m], and by a turn (axis, centre
        [m], angle [rad]). The pin then stays there and does nothing of itself any more.

        What it drags is booked as ``work``; like `push` it is not written down."""
        self._native.move_pin(pin, _vector(shift, "shift"), turn and _turn(turn))

    def stiffness(self):
        """The Hessian of the potential energy here, as the solver projects it: a SciPy sparse array of all coordinates [N/m]."""
        return self._matrix(*self._native.stiffness)

    def mass(self):
        """A SciPy sparse array of all coordinates [kg]; modes are ``eigsh(K[free][:, free], M=M[free][:, free], …)``."""
        return self._matrix(*self._native.mass)

    @property
    def free(self) -> np.ndarray:
        """Which coordinates nothing holds, as truth values for `stiffness` and `mass`, (3 nodes,)."""
        return np.repeat(self._native.free_nodes, 3)

    def _matrix(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray):
        from scipy.sparse import coo_array

        size = self.positions.size
        return coo_array((values, (rows.astype(np.int64), columns.astype(np.int64))), shape=(size, size)).tocsr()

    def set_gravity(self, gravity: Sequence[float]) -> None:
        """Another gravity from the next step on [m/s²]; nothing is lost or gained by the change. It is written down."""
        self._native.set_gravity(_vector(gravity, "gravity"))

    def set_integrator(self, integrator: str) -> None:
        """Another method from the next step on, such as ``a-search:max=1.2``. It is written down."""
        self._native.set_integrator(integrator)

    def checkpoint(self) -> _visviva.Checkpoint:
        """Where it stands now, to go back to."""
        return self._native.checkpoint()

    def restore(self, checkpoint: _visviva.Checkpoint) -> None:
        """Goes to a checkpoint of the same scene, forth or back; a run folder that is being written loses what came after."""
        self._native.restore(checkpoint)

    def to_pyvista(self):
        """The surfaces as they are now, for PyVista: ``session.to_pyvista().plot()``."""
        return to_pyvista(self.vertices, self.mesh)

    def __repr__(self) -> str:
        return f"<visviva.Session {self.scene.title!r} after {self.steps} steps, t = {self.time:.4g} s>"


def _vector(values: Sequence[float], what: str) -> tuple[float, float, float]:
    vector = np.asarray(values)
    if vector.shape != (3,) or vector.dtype.kind not in "iuf":
        raise SceneError(f"{what}: three numbers are needed, not {values!r}")
    return float(vector[0]), float(vector[1]), float(vector[2])


def _turn(turn: tuple) -> tuple:
    if len(turn) != 3:
        raise SceneError(f"turn: an axis, a centre [m] and an angle [rad] are needed, not {turn!r}")
    axis, centre, angle = turn
    return _vector(axis, "axis"), _vector(centre, "centre"), float(angle)
