"""Tables of a scene file that grow by methods, in the words of the Rust library.

Every method returns a new one, so that what is built so far can be kept and varied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Vector = Sequence[float]


class Words(dict):
    """A table of a scene file that grows by methods."""

    def with_words(self, **words: Any):
        """The same with other words, such as ``graded=True``: any key that a scene file has."""
        return type(self)._of({**self, **words})

    @classmethod
    def _of(cls, words: dict[str, Any]):
        made = cls.__new__(cls)
        dict.update(made, words)
        return made

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict.__repr__(self)})"

    def __reduce__(self):
        return type(self)._of, (dict(self),)


class Placed(Words):
    """What bodies and obstacles have in common: a name and a place."""

    def named(self, name: str):
        """What pins, friction and messages call it."""
        return self.with_words(name=name)

    def at(self, place: Vector):
        """Shifted there [m], after scaling and turning."""
        return self.with_words(translate=place)

    def rotate(self, axis: Vector, angle: float | str):
        """Turned by an angle ([rad], or such as ``"90deg"``) about an axis through the origin, after scaling."""
        return self.with_words(rotate={"axis": axis, "angle": angle})

    def scale(self, scale: float | Vector):
        """Scaled by one factor, or by one for each axis."""
        return self.with_words(scale=scale)

    def height(self, height: float):
        """Scaled so that its extent along z is this [m]."""
        return self.with_words(height=height)

    def up(self, up: str):
        """Turned first of all so that this way of the shape points up, such as ``"y"``."""
        return self.with_words(up=up)

    def contact_thickness(self, thickness: float):
        """Thickness that contact gives it [m]."""
        return self.with_words(contact_thickness=thickness)
