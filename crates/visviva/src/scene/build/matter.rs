//! What a body is made of, once its mesh is there.

use super::BuildError;
use crate::laws::bending::bending_stiffness;
use crate::laws::membrane::Membrane;
use crate::laws::solid::{Elasticity, Solid, SolidError};
use crate::mesh::{Mesh, SolidMoments, TriMesh};
use crate::model::{AffineShape, Damping, Matter};
use crate::scene::check::crossing;
use crate::scene::settings::{DEFAULT_DENSITY, ORTHOGONALITY};
use crate::scene::{Body, BodyKind, Material};

impl Body {
    /// What a mesh of these settings is made of.
    pub(super) fn matter(
        &self,
        mesh: &Mesh,
        material: &Material,
        warnings: &mut Vec<String>,
    ) -> Result<Matter, BuildError> {
        if self.mass.is_some() && self.kind != BodyKind::Affine {
            return Err(self.fail("mass: only affine bodies take it; others have their material's density".into()));
        }
        match (self.kind, mesh) {
            (BodyKind::Solid, Mesh::Tets(mesh)) => {
                let solid = material
                    .solid(self.kind)
                    .map_err(|problem| BuildError::Material { body: self.name.clone(), problem })?;
                Ok(Matter::Solid {
                    mesh: mesh.clone(),
                    solid,
                    density: material.checked_density().map_err(|e| self.fail(e))?,
                })
            }
            (BodyKind::Solid, Mesh::Surface(_)) => Err(self.fail(
                "its shape is a surface: a solid needs tets; say kind = \"shell\" or \"affine\" if that is meant"
                    .into(),
            )),
            (BodyKind::Shell, Mesh::Surface(mesh)) => self.sheet_matter(mesh, material),
            (BodyKind::Shell, Mesh::Tets(_)) => {
                Err(self.fail("its shape is a solid: a shell needs disc, rectangle, tube, icosphere or a file".into()))
            }
            (BodyKind::Affine, mesh) => self.affine_matter(mesh, material, warnings),
        }
    }

    fn sheet_matter(&self, mesh: &TriMesh, material: &Material) -> Result<Matter, BuildError> {
        let fail = |problem: String| self.fail(format!("material: {problem}"));
        let Material { youngs_modulus, poisson_ratio, thickness, areal_density, density, .. } = *material;
        let thickness = thickness.ok_or_else(|| {
            // Everyday materials that are no sheets must be given one.
            let name = Material::everyday(&material.name).filter(|everyday| *everyday == material).map(|m| &m.name);
            let advice = name.map_or(String::new(), |name| {
                format!("; take a sheet such as cloth, or add one to what `visviva materials {name} --toml` prints")
            });
            fail(format!("thickness is missing: a shell needs it [m]{advice}"))
        })?;
        let membrane = Membrane::new(material.law_of(self.kind), &material.elasticity(), thickness)
            .map_err(|problem| fail(problem.to_string()))?;
        let bending = match material.bending_modulus.unwrap_or(youngs_modulus) {
            0.0 => 0.0,
            modulus => bending_stiffness(modulus, poisson_ratio, thickness)
                .map_err(|problem| fail(format!("bending_modulus: {problem}")))?,
        };
        let (mu, lambda) = membrane.parameters();
        if ![mu, lambda, bending].iter().all(|stiffness| stiffness.is_finite()) {
            return Err(fail(format!(
                "thickness = {thickness:e} m and youngs_modulus = {youngs_modulus:e} Pa together are too stiff to compute with"
            )));
        }
        let areal_density = match (areal_density, density) {
            (Some(_), Some(_)) => return Err(fail("give density or areal_density, not both".into())),
            (Some(areal), None) => areal,
            (None, Some(density)) => density * thickness,
            (None, None) => return Err(fail("density [kg/m³] or areal_density [kg/m²] is missing".into())),
        };
        if !(areal_density > 0.0 && areal_density.is_finite()) {
            return Err(fail(format!("areal density = {areal_density} kg/m²: it must be positive and finite")));
        }
        let hinges = mesh.validate_sheet().map_err(|problem| self.fail(problem.to_string()))?;
        Ok(Matter::Shell { mesh: mesh.clone(), hinges, membrane, bending, areal_density })
    }

    fn affine_matter(
        &self,
        mesh: &Mesh,
        material: &Material,
        warnings: &mut Vec<String>,
    ) -> Result<Matter, BuildError> {
        if !self.deform.is_empty() {
            return Err(self.fail("deform: an affine body starts undeformed".into()));
        }
        if self.velocity.as_ref().is_some_and(|v| v.ramp.is_some() || v.drum.is_some()) {
            return Err(self.fail("velocity: an affine body takes linear and angular, not ramp or drum".into()));
        }
        let mut surface = match mesh {
            Mesh::Tets(mesh) => mesh.surface(),
            Mesh::Surface(mesh) => mesh.clone(),
        };
        let found = surface.validate_solid().map_err(|problem| self.fail(problem.to_string()))?;
        warnings.extend(found.iter().map(|warning| format!("body `{}`: {warning}", self.name)));
        if let Some(problem) = crossing(&surface) {
            return Err(self.fail(problem));
        }
        let stiffness = material.youngs_modulus;
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            return Err(self.fail(format!("youngs_modulus = {stiffness} Pa: it must be positive and finite")));
        }
        let moments = SolidMoments::inside(&surface);
        let density = match self.mass {
            Some(mass) => moments.density_of_mass(mass).map_err(|problem| self.fail(problem.to_string()))?,
            None => material.checked_density().map_err(|problem| self.fail(problem))?,
        };
        let solid =
            material.solid(self.kind).map_err(|problem| BuildError::Material { body: self.name.clone(), problem })?;
        Ok(Matter::Affine(Box::new(AffineShape::new(surface, &moments, density, solid, stiffness))))
    }
}

impl Material {
    /// The law of a solid or an affine body made of it.
    pub fn solid(&self, kind: BodyKind) -> Result<Solid, SolidError> {
        match self.law_of(kind) {
            ORTHOGONALITY if kind == BodyKind::Affine => Ok(AffineShape::orthogonality(self.youngs_modulus)),
            law => Solid::new(law, &self.elasticity()),
        }
    }

    fn elasticity(&self) -> Elasticity {
        Elasticity { youngs_modulus: self.youngs_modulus, poisson_ratio: self.poisson_ratio }
    }

    /// `[kg/m³]`
    fn checked_density(&self) -> Result<f64, String> {
        let density = self.density.unwrap_or(DEFAULT_DENSITY);
        if density > 0.0 && density.is_finite() {
            Ok(density)
        } else {
            Err(format!("density = {density} kg/m³: it must be positive and finite"))
        }
    }

    pub(super) fn damping_of(&self) -> Result<Damping, String> {
        for (key, value) in [("damping_mass", self.damping_mass), ("damping_stiffness", self.damping_stiffness)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(format!("{key} = {value}: it must not be negative"));
            }
        }
        Ok(Damping { mass: self.damping_mass, stiffness: self.damping_stiffness, law: self.damping_law })
    }
}
