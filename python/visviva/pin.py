"""Which nodes are held or moved."""

from __future__ import annotations

from collections.abc import Sequence

from .words import Vector, Words


class Pin(Words):
    """Nodes of a body that are held, or moved along keyframes: ``vv.Pin.of("bar").plane([0, 0, 0], [1, 0, 0])``."""

    @classmethod
    def of(cls, body: str) -> Pin:
        """Nodes of the body of this name, still to be chosen."""
        return cls(body=body)

    def inside_box(self, low: Vector, high: Vector) -> Pin:
        """Nodes inside a box from its low to its high corner [m]."""
        return self.with_words(box={"min": low, "max": high})

    def plane(self, point: Vector, normal: Vector) -> Pin:
        """Nodes on the plane through a point [m]."""
        return self.with_words(plane={"point": point, "normal": normal})

    def halfspace(self, point: Vector, normal: Vector) -> Pin:
        """Nodes on the side of a plane that its normal points to."""
        return self.with_words(halfspace={"point": point, "normal": normal})

    def sphere(self, centre: Vector, radius: float) -> Pin:
        """Nodes inside a sphere [m]."""
        return self.with_words(sphere={"centre": centre, "radius": radius})

    def edge(self, start: Vector, end: Vector) -> Pin:
        """Nodes on the segment between two points [m]."""
        return self.with_words(edge={"from": start, "to": end})

    def rim(self) -> Pin:
        """Nodes on the rim of a shell."""
        return self.with_words(rim=True)

    def nodes(self, nodes: Sequence[int]) -> Pin:
        """Nodes by their numbers in the body."""
        return self.with_words(nodes=nodes)

    def tolerance(self, tolerance: float) -> Pin:
        """How near a node must lie to the region [m]."""
        return self.with_words(tolerance=tolerance)

    def shift(self, keys: Sequence[Vector]) -> Pin:
        """Moves the nodes along keyframes (time [s], x, y, z [m]), each a shift from their start."""
        return self.with_words(shift=keys)

    def turn(self, axis: Vector, centre: Vector, angle: Sequence[Vector]) -> Pin:
        """Turns the nodes about an axis through a centre [m], along keyframes (time [s], angle [rad])."""
        return self.with_words(turn={"axis": axis, "centre": centre, "angle": angle})
