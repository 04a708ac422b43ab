"""What stands still or moves by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .meshes import mesh_arrays
from .words import Placed, Vector


class Obstacle(Placed):
    """A surface without mass that stands still or moves along keyframes, whatever touches it."""

    @classmethod
    def _shaped(cls, key: str, shape: Any) -> Obstacle:
        return cls(name=key, **{key: shape})

    @classmethod
    def plane(cls, point: Vector = (0, 0, 0), normal: Vector = (0, 0, 1)) -> Obstacle:
        """A plane through a point [m]; z = 0 unless it says otherwise."""
        return cls._shaped("plane", {"point": point, "normal": normal})

    @classmethod
    def cuboid(cls, size: Vector) -> Obstacle:
        """A box of this size [m], centred on the origin."""
        return cls._shaped("box", {"size": size})

    @classmethod
    def stairs(cls, steps: int, width: float, depth: float, height: float) -> Obstacle:
        """Stairs down along x; width, and depth and height of a step [m]."""
        return cls._shaped("stairs", {"steps": steps, "width": width, "depth": depth, "height": height})

    @classmethod
    def sphere(cls, radius: float) -> Obstacle:
        """A sphere [m] about the origin."""
        return cls._shaped("sphere", {"radius": radius})

    @classmethod
    def capsule(cls, radius: float, length: float) -> Obstacle:
        """A capsule along z, from tip to tip of this length [m], centred on the origin."""
        return cls._shaped("capsule", {"radius": radius, "length": length})

    @classmethod
    def cylinder(cls, radius: float, height: float) -> Obstacle:
        """A cylinder along z [m], centred on the origin."""
        return cls._shaped("cylinder", {"radius": radius, "height": height})

    @classmethod
    def open_box(cls, size: Vector) -> Obstacle:
        """A container without a lid, of this size inside [m]: its bottom at z = 0, centred on x = y = 0."""
        return cls._shaped("open_box", {"size": size})

    @classmethod
    def file(cls, path) -> Obstacle:
        """The triangles of a mesh file, and the lines of an OBJ file as wires."""
        return cls._shaped("file", path)

    @classmethod
    def mesh(cls, mesh: Any, triangles: Any = None) -> Obstacle:
        """A surface in memory [m]: of trimesh, meshio or PyVista, or vertices (n, 3) with triangles (m, 3)."""
        return cls._shaped("mesh", mesh_arrays(mesh, triangles))

    def friction(self, coefficient: float) -> Obstacle:
        """Its coefficient of friction."""
        return self.with_words(friction=coefficient)

    def restitution(self, coefficient: float) -> Obstacle:
        """Of its contacts, from 0 to 1."""
        return self.with_words(restitution=coefficient)

    def shift(self, keys: Sequence[Vector]) -> Obstacle:
        """Moves along keyframes (time [s], x, y, z [m]), each a shift from the start."""
        return self.with_words(shift=keys)

    def turn(self, axis: Vector, centre: Vector, angle: Sequence[Vector]) -> Obstacle:
        """Turns about an axis through a centre [m], along keyframes (time [s], angle [rad])."""
        return self.with_words(turn={"axis": axis, "centre": centre, "angle": angle})
