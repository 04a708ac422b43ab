//! Elements that start deformations turned inside out, where their law forbids it.

use crate::mesh::FirstFew;
use crate::model::bodies::Model;
use crate::scene::BuildError;
use crate::solve::elastic;

/// Refuses a start whose elastic energy is infinite: no step can be taken from it.
pub fn inversion(model: &Model, x: &[f64]) -> Result<(), BuildError> {
    let density = elastic::energy_density(model, x);
    for body in &model.bodies {
        let inverted = body.tets.clone().filter(|&tet| !density[tet].is_finite()).map(|tet| tet - body.tets.start);
        let which = FirstFew::of(inverted);
        if which.count > 0 {
            return Err(BuildError::Inverted { body: body.name.clone(), which, total: body.tets.len() });
        }
    }
    Ok(())
}
