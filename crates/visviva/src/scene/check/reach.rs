//! A barrier that reaches so far that everything repels everything: no memory holds all pairs.

use crate::contact::{BroadPhase, Point};
use crate::model::bodies::Model;
use crate::scene::BuildError;
use crate::solve::contact::surface_of;

/// Pairs at the start beside a few for each edge: each costs more than a kilobyte in a step.
const MOST_PAIRS: usize = 1 << 20;
const MOST_PAIRS_AN_EDGE: usize = 8;

/// Refuses a start in which more pairs of vertices, edges and triangles repel each other than any step could follow.
pub fn reach(model: &Model, x: &[f64]) -> Result<(), BuildError> {
    let Some(settings) = &model.contact else { return Ok(()) };
    let surface = surface_of(model, |body| settings.touches_itself(body), |node| model.mass.is_pinned(node));
    let (surface, vertices) = surface.map_err(|problem| BuildError::Contact(problem.to_string()))?;
    let points: Vec<Point> = vertices.iter().map(|vertex| vertex.of(x)).collect();
    let most = MOST_PAIRS + MOST_PAIRS_AN_EDGE * surface.edges().len();
    let thickness = surface.largest_thickness();
    if BroadPhase::default().count_near(&surface, &points, settings.reach + thickness, most) <= most {
        return Ok(());
    }
    let shortest = surface.edge_rest_squared().iter().copied().fold(f64::INFINITY, f64::min).sqrt();
    let key = if thickness > settings.reach { "contact_thickness" } else { "contact.reach" };
    Err(BuildError::Contact(format!(
        "{key} = {:.3e} m: more than {most} pairs of edges and triangles would repel each other at the start, which no memory \
         holds; take less than the shortest edge ({shortest:.1e} m)",
        settings.reach.max(thickness),
    )))
}
