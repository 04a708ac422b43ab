"""What bodies are made of."""

from __future__ import annotations

from typing import Any

from .words import Words


class Material(Words):
    """What a body is made of: rubber-like, of a stiffness [Pa], with a Poisson's ratio of 0.3 and the density of water."""

    def __init__(self, youngs_modulus: float, **words: Any):
        super().__init__(youngs_modulus=youngs_modulus, **words)

    def named(self, name: str) -> Material:
        """What bodies of the scene call it."""
        return self.with_words(name=name)

    def law(self, law: str) -> Material:
        """neo-hookean, corotated, fixed-corotated, stvk, stable-neo-hookean, or orthogonality of affine bodies."""
        return self.with_words(law=law)

    def poisson_ratio(self, ratio: float) -> Material:
        """Below 0.5."""
        return self.with_words(poisson_ratio=ratio)

    def density(self, density: float) -> Material:
        """[kg/m³]"""
        return self.with_words(density=density)

    def sheet(self, thickness: float, areal_density: float) -> Material:
        """Of a shell: its thickness [m] and what it weighs [kg/m²]."""
        return self.with_words(thickness=thickness, areal_density=areal_density)

    def bending_modulus(self, modulus: float) -> Material:
        """Of a shell: Young's modulus against bending [Pa], 0 for none."""
        return self.with_words(bending_modulus=modulus)

    def damping(self, mass: float, stiffness: float) -> Material:
        """Damping of all motion [1/s] and of deformation [s]."""
        return self.with_words(damping_mass=mass, damping_stiffness=stiffness)

    def friction(self, coefficient: float) -> Material:
        """Coefficient of friction."""
        return self.with_words(friction=coefficient)

    def restitution(self, coefficient: float) -> Material:
        """Of its contacts, from 0 to 1."""
        return self.with_words(restitution=coefficient)
