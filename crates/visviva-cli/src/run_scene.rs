//! Whether a run can start from where its scene puts the bodies.

use visviva::mesh::FirstFew;
use visviva::scene::Built;
use visviva::solve::elastic;

/// Why no step can be taken from the start position: elements that its deformations turned inside out.
pub fn start_problem(built: &Built) -> Option<String> {
    let density = elastic::energy_density(&built.model, &built.start.x);
    built.model.bodies.iter().find_map(|body| {
        let inverted = body.tets.clone().filter(|&tet| !density[tet].is_finite()).map(|tet| tet - body.tets.start);
        let which = FirstFew::of(inverted);
        (which.count > 0).then(|| {
            let (name, total) = (&body.name, body.tets.len());
            let count = which.count;
            format!(
                "body `{name}`: {count} of {total} tets are inverted at the start: {which}; deform it less, or take a law that allows it"
            )
        })
    })
}
