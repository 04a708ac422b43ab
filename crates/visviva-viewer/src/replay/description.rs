//! What a page is told of a run when it opens it.

use super::{ShownRun, Span};
use crate::error::AskError;
use serde_json::{Value, json};
use visviva::integrate::METHODS;
use visviva::run::ShownBody;
use visviva_pictures::colour::body_colour;
use visviva_pictures::render::OBSTACLE_GREY;

/// So many frames tell how far things move.
const SURVEYED: usize = 16;

impl ShownRun {
    /// Without what only the shelf knows: its name, and whether it goes on.
    pub fn description(&self) -> Result<Value, AskError> {
        // It may have changed since: a run that is steered says so in its run.toml.
        let (frames, scene) = (self.frames()?, self.folder.scene()?);
        let times: Vec<f64> = frames.iter().map(|frame| frame.t).collect();
        let contacts = scene.run.contacts && self.folder.read_contacts(0).is_ok_and(|contacts| contacts.is_some());
        let camera = scene.camera.as_ref().map(|camera| {
            json!({ "eye": camera.eye, "target": camera.target, "up": camera.up, "field_of_view": camera.field_of_view })
        });
        Ok(json!({
            "title": scene.title,
            "summary": scene.description,
            "up": up(scene.gravity),
            "duration": scene.run.duration.value,
            "frame_rate": scene.run.frame_rate,
            "h": scene.run.h.value,
            "integrator": scene.run.integrator,
            "gravity": scene.gravity,
            "energy": scene.energy,
            "changes": scene.changes.iter().filter(|change| !change.is_of_the_hand()).collect::<Vec<_>>(),
            "camera": camera,
            "times": times,
            "bounds": self.bounds(times.len()),
            "floor": self.floor,
            "bodies": self.bodies_told(),
            "vertices": self.vertex_count(),
            "triangles": self.triangle_count(),
            "wires": self.wire_count(),
            "tets": self.mesh.tets.len(),
            "mesh_vertices": self.mesh.rest.len(),
            "integrators": METHODS.iter().map(|method| method.name).collect::<Vec<_>>(),
            "has": { "contacts": contacts, "tets": self.has_tets() },
        }))
    }

    fn bodies_told(&self) -> Vec<Value> {
        let told = |(index, (body, span)): (usize, (&ShownBody, &Span))| {
            // The copies of an array and the links of a net share a colour, as in pictures.
            let colour = match body.kind.as_str() {
                "obstacle" => OBSTACLE_GREY,
                _ => body_colour(self.scene.body_behind(&body.name).unwrap_or(self.places[index])),
            };
            let mesh = self.mesh.bodies[self.places[index]].vertices;
            json!({
                "name": body.name,
                "kind": body.kind,
                "material": body.material,
                "colour": colour.to_string(),
                "vertices": span.vertices,
                "triangles": span.triangles,
                "wires": span.wires,
                "mesh": mesh,
            })
        };
        self.bodies.iter().zip(&self.spans).enumerate().map(told).collect()
    }

    /// Of what moves, over some of the frames `[m]`; of all where nothing does.
    fn bounds(&self, frames: usize) -> [[f64; 3]; 2] {
        let moves: Vec<bool> = self.bodies.iter().map(|body| body.kind != "obstacle").collect();
        let none_moves = !moves.contains(&true);
        let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let every = frames.div_ceil(SURVEYED).max(1);
        let last = frames.checked_sub(1);
        let mut looked_at: Vec<usize> = (0..frames).step_by(every).chain(last).collect();
        looked_at.dedup();
        for index in looked_at {
            // A damaged one does not count: the others are shown all the same.
            let Ok(vertices) = self.frame_vertices(index) else { continue };
            for (body, _) in self.bodies.iter().zip(&moves).filter(|(_, moves)| **moves || none_moves) {
                for x in body.at(&vertices).iter().filter(|x| x.iter().all(|x| x.is_finite())) {
                    for k in 0..3 {
                        (least[k], most[k]) = (least[k].min(x[k]), most[k].max(x[k]));
                    }
                }
            }
        }
        let known = least.iter().chain(&most).all(|x| x.is_finite());
        if known { [least, most] } else { [[-1.0; 3], [1.0; 3]] }
    }
}

/// Against gravity; z where there is none.
fn up(gravity: [f64; 3]) -> [f64; 3] {
    let length = gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    if length > 0.0 { gravity.map(|g| if g == 0.0 { 0.0 } else { -g / length }) } else { [0.0, 0.0, 1.0] }
}
