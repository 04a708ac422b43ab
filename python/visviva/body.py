"""What moves: a shape in its place, made of a material, with a start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .material import Material
from .meshes import mesh_arrays
from .words import Placed, Vector


class Body(Placed):
    """A body: one shape, placed, made of a material, with a start velocity. A solid as soft as rubber foam unless it says otherwise.

    Shapes are the class methods; ``vv.Body(name="ball", ball={"radius": 0.05, "shells": 3}, material="rubber")`` is one in a scene
    file's words.
    """

    @classmethod
    def _shaped(cls, key: str, shape: Any) -> Body:
        return cls(name=key, material=Material(1e5), **{key: shape})

    @classmethod
    def cuboid(cls, size: Vector, cells: Sequence[int]) -> Body:
        """A box of this size [m], so many cells along x, y and z."""
        return cls._shaped("box", {"size": size, "cells": cells})

    @classmethod
    def ball(cls, radius: float, shells: int) -> Body:
        """A ball [m] of so many layers of elements."""
        return cls._shaped("ball", {"radius": radius, "shells": shells})

    @classmethod
    def ellipsoid(cls, radii: Vector, shells: int) -> Body:
        """Half axes [m], and layers of elements."""
        return cls._shaped("ellipsoid", {"radii": radii, "shells": shells})

    @classmethod
    def cylinder(cls, radius: float, height: float, rings: int, layers: int) -> Body:
        """About z [m]; layers of elements from axis to surface, and along it."""
        return cls._shaped("cylinder", {"radius": radius, "height": height, "rings": rings, "layers": layers})

    @classmethod
    def torus(cls, major_radius: float, minor_radius: float, rings: int, around: int) -> Body:
        """About z [m]; layers of elements across the tube, and elements about the axis."""
        shape = {"major_radius": major_radius, "minor_radius": minor_radius, "rings": rings, "around": around}
        return cls._shaped("torus", shape)

    @classmethod
    def icosphere(cls, radius: float, subdivisions: int) -> Body:
        """A sphere of triangles [m]; 3 subdivisions give 642 vertices."""
        return cls._shaped("icosphere", {"radius": radius, "subdivisions": subdivisions})

    @classmethod
    def disc(cls, radius: float, rings: int) -> Body:
        """A disc of triangles [m] in the plane z = 0, of so many rings."""
        return cls._shaped("disc", {"radius": radius, "rings": rings})

    @classmethod
    def rectangle(cls, size: Vector, cells: Sequence[int]) -> Body:
        """A rectangle of triangles [m] in the plane z = 0."""
        return cls._shaped("rectangle", {"size": size, "cells": cells})

    @classmethod
    def tube(cls, radius: float, length: float, cells: Sequence[int]) -> Body:
        """An open tube of triangles about z [m]; cells around and along it."""
        return cls._shaped("tube", {"radius": radius, "length": length, "cells": cells})

    @classmethod
    def model(cls, name: str) -> Body:
        """A model that comes with the program: ``"creature"`` or ``"rabbit"``."""
        return cls._shaped("model", name)

    @classmethod
    def file(cls, path) -> Body:
        """The tets or triangles of a mesh file; a solid fills a closed surface."""
        return cls._shaped("file", path)

    @classmethod
    def mesh(cls, mesh: Any, cells: Any = None) -> Body:
        """A mesh in memory [m]: of trimesh, meshio or PyVista, or vertices (n, 3) with triangles (m, 3) or tets (m, 4).

        A solid fills a closed surface of triangles."""
        return cls._shaped("mesh", mesh_arrays(mesh, cells))

    def cell(self, cell: float) -> Body:
        """Filled with cells of this size [m], where it is a solid from a surface."""
        return self.with_words(cell=cell)

    def cells(self, cells: int) -> Body:
        """Filled with so many cells along its longest side, where it is a solid from a surface."""
        return self.with_words(cells=cells)

    def shell(self) -> Body:
        """A thin shell instead of a solid."""
        return self.with_words(kind="shell")

    def affine(self) -> Body:
        """A stiff body of twelve coordinates instead of a solid."""
        return self.with_words(kind="affine")

    def material(self, material: Material | str) -> Body:
        """A material, or the name of one in the scene's list or among the everyday ones (`vv.materials()`)."""
        return self.with_words(material=material)

    def mass(self, mass: float) -> Body:
        """The whole mass of an affine body [kg]."""
        return self.with_words(mass=mass)

    def velocity(self, linear: Vector) -> Body:
        """Starts with this velocity [m/s], the same everywhere."""
        return self.with_words(velocity={**self.get("velocity", {}), "linear": linear})

    def spin(self, angular: Vector) -> Body:
        """Starts turning [rad/s] about an axis through the origin; see `spin_about`."""
        return self.with_words(velocity={**self.get("velocity", {}), "angular": angular})

    def spin_about(self, angular: Vector, point: Vector) -> Body:
        """Starts turning [rad/s] about an axis through a point [m]."""
        return self.with_words(velocity={**self.get("velocity", {}), "angular": angular, "about": point})
