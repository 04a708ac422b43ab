"""Scenes: from the gallery, a file or a dictionary, or built in code with the same words."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import _visviva
from .meshes import mesh_arrays
from .obstacle import Obstacle

#: Beginning of the name that stands for a mesh in memory
_MEMORY = "memory:"


class Scene:
    """Bodies, what they touch, what is held, the time step, and the energy wanted.

    ``vv.Scene("bouncing-ball-soft")`` is a gallery scene (`vv.gallery()` lists them), ``vv.Scene("mine.toml")`` a scene file,
    ``vv.Scene({"title": …})`` or ``vv.Scene(title=…, run=…, body=[…])`` one in the words of scene files, and
    ``vv.Scene.new("A ball").body(vv.Body.ball(0.05, 3)).floor()`` one built step by step. ``set`` changes keys, as the command's
    ``--set`` does: ``set={"run.h": "1/60", "body.0.box.cells": [4, 4, 4]}``. What a scene file's words mean is in docs/scenes.md.

    A scene does not change; every method returns a new one.
    """

    def __init__(
        self,
        scene: str | os.PathLike | Mapping[str, Any] | Scene | None = None,
        *,
        set: Mapping[str, Any] | None = None,  # noqa: A002, the command's word
        folder: str | os.PathLike = "",
        **words: Any,
    ):
        """``folder`` is what relative names of mesh files are relative to, where words are given."""
        assignments = _assignments(set or {})
        if isinstance(scene, (str, os.PathLike)):
            if words:
                raise TypeError(f"{', '.join(words)}: a scene that is read is changed by `set`")
            self._native = _visviva.Scene.load(os.fspath(scene), assignments)
            self._meshes: list = []
            return
        if isinstance(scene, Scene):
            folder = scene._native.folder
            scene = scene.words
        bare, self._meshes = _without_meshes({**(scene or {}), **words})
        self._native = _visviva.Scene.of_words(bare, self._meshes, os.fspath(folder), assignments)

    @classmethod
    def new(cls, title: str, **words: Any) -> Scene:
        """An empty scene under gravity with a title of one line, run for 1 s in steps of 1/120 s unless it says otherwise."""
        return cls({"title": title, "run": {"h": "1/120", "duration": 1}, **words})

    @property
    def words(self) -> dict[str, Any]:
        """The scene as a dictionary, in the words of scene files, all defaults written out."""
        words = self._native.words()
        for table in [*words.get("body", []), *words.get("obstacle", [])]:
            name = str(table.get("file", ""))
            if name.startswith(_MEMORY):
                del table["file"]
                table["mesh"] = self._meshes[int(name[len(_MEMORY) :])]
        return words

    @property
    def title(self) -> str:
        """One line, shown in lists."""
        return self._native.words()["title"]

    @property
    def name(self) -> str:
        """Its file, its name in the gallery, or that it was made in Python."""
        return self._native.name

    def to_toml(self) -> str:
        """As a scene file, all defaults written out. Meshes in memory have no place in one; run folders hold them."""
        return self._native.to_toml()

    def check(self) -> tuple[list[str], list[str]]:
        """Builds the scene without running it: warnings of what is doubtful, and hints at what may be done better."""
        return self._native.check()

    def set(self, changes: Mapping[str, Any] | None = None, **words: Any) -> Scene:
        """With other values of keys: ``scene.set({"run.h": "1/60"})``; whole tables as words: ``scene.set(gravity=[0, 0, -1.6])``."""
        return Scene({**self.words, **words}, set=changes, folder=self._native.folder)

    def body(self, body: Mapping[str, Any]) -> Scene:
        """One more body."""
        return self._with_another("body", body)

    def material(self, material: Mapping[str, Any]) -> Scene:
        """One more material that bodies may name."""
        return self._with_another("material", material)

    def obstacle(self, obstacle: Mapping[str, Any]) -> Scene:
        """One more obstacle."""
        return self._with_another("obstacle", obstacle)

    def floor(self) -> Scene:
        """A plane at z = 0, called ``floor``."""
        return self.obstacle(Obstacle.plane().named("floor"))

    def pin(self, pin: Mapping[str, Any]) -> Scene:
        """Nodes that are held or moved."""
        return self._with_another("pin", pin)

    def release(self, pin: Mapping[str, Any]) -> Scene:
        """Nodes that are held until the bodies rest, and let go at the start."""
        return self._with_another("release", pin)

    def friction(self, between: tuple[str, str], coefficient: float) -> Scene:
        """The coefficient of friction of two bodies or obstacles, in place of the mean of their own."""
        return self._with_another("friction", {"between": between, "coefficient": coefficient})

    def energy(self, energy: Mapping[str, Any]) -> Scene:
        """The energy wanted; without this it is conserved."""
        return self.set(energy=energy)

    def gravity(self, gravity) -> Scene:
        """Acceleration of gravity [m/s²]; without this (0, 0, −9.8)."""
        return self.set(gravity=gravity)

    def contact(self, **words: Any) -> Scene:
        """How surfaces touch, in the words of ``[contact]``: ``reach`` [m], ``stiffness`` [N/m], ``friction`` …"""
        return self._with_words("contact", words)

    def solver(self, **words: Any) -> Scene:
        """How equations are solved, in the words of ``[solver]``."""
        return self._with_words("solver", words)

    def integrator(self, name: str) -> Scene:
        """Name and parameters, such as ``a-search`` or ``bdf2``; `vv.integrators()` lists them."""
        return self._with_words("run", {"integrator": name})

    def step(self, h: float | str) -> Scene:
        """The time step [s]: a number, or a fraction such as ``"1/120"``."""
        return self._with_words("run", {"h": h})

    def duration(self, duration: float | str) -> Scene:
        """Simulated time [s]."""
        return self._with_words("run", {"duration": duration})

    def frame_rate(self, rate: float) -> Scene:
        """Frames written per simulated second."""
        return self._with_words("run", {"frame_rate": rate})

    def camera(self, **words: Any) -> Scene:
        """Where pictures are taken from, in the words of ``[camera]``."""
        return self.set(camera=words)

    def _with_another(self, key: str, table: Mapping[str, Any]) -> Scene:
        return self._replaced(key, [*self.words.get(key, []), table])

    def _with_words(self, key: str, words: Mapping[str, Any]) -> Scene:
        return self._replaced(key, {**self.words.get(key, {}), **words})

    def _replaced(self, key: str, value: Any) -> Scene:
        return Scene({**self.words, key: value}, folder=self._native.folder)

    def __repr__(self) -> str:
        return f"<visviva.Scene {self.title!r}>"

    def __reduce__(self):
        return _unpickled, (self.words, self._native.folder)


def _unpickled(words: dict[str, Any], folder: str) -> Scene:
    return Scene(words, folder=folder)


def _assignments(changes: Mapping[str, Any]) -> list[str]:
    """As the command's ``--set`` takes them."""
    if not isinstance(changes, Mapping):
        raise TypeError(f"changes are a dict of keys and values, such as {{'run.h': '1/120'}}, and not {changes!r}")
    return [f"{key}={_visviva.inline(value, key)}" for key, value in changes.items()]


def _without_meshes(words: Mapping[str, Any]) -> tuple[dict[str, Any], list]:
    """The words with names in place of meshes, and the meshes."""
    meshes: list = []

    def bare(table: Any) -> Any:
        if not isinstance(table, Mapping) or "mesh" not in table:
            return table
        meshes.append(mesh_arrays(table["mesh"]))
        rest = {key: value for key, value in table.items() if key != "mesh"}
        return {**rest, "file": f"{_MEMORY}{len(meshes) - 1}"}

    words = dict(words)
    for key in ("body", "obstacle"):
        if isinstance(words.get(key), (list, tuple)):
            words[key] = [bare(table) for table in words[key]]
    return words, meshes
