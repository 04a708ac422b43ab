"""The energy a user asks for."""

from __future__ import annotations

from collections.abc import Sequence

from .words import Vector, Words


class Energy(Words):
    """The energy wanted: conserved unless it says otherwise."""

    @classmethod
    def conserve(cls) -> Energy:
        """Kept."""
        return cls(target="conserve")

    @classmethod
    def decay(cls, tau: float) -> Energy:
        """Decays with an e-folding time [s], towards 0 J unless a ground is given."""
        return cls(target="decay", tau=tau)

    @classmethod
    def schedule(cls, pairs: Sequence[Vector]) -> Energy:
        """Decays with (from time [s], τ [s]) pairs, each holding from its time on; it is conserved before the first."""
        return cls(target="schedule", schedule=pairs)

    @classmethod
    def curve(cls, pairs: Sequence[Vector]) -> Energy:
        """Follows (time [s], fraction of the start energy) pairs."""
        return cls(target="curve", curve=pairs)

    @classmethod
    def curve_joules(cls, pairs: Sequence[Vector]) -> Energy:
        """Follows (time [s], energy [J]) pairs."""
        return cls(target="curve-joules", curve=pairs)

    def ground(self, joules: float) -> Energy:
        """What it decays towards [J]."""
        return self.with_words(ground=joules)

    def ground_at_equilibrium(self) -> Energy:
        """Decays towards the energy of the bodies at rest."""
        return self.with_words(ground="equilibrium")

    def start_scale(self, scale: float) -> Energy:
        """The target starts at this times the start energy."""
        return self.with_words(start_scale=scale)
