//! Decay that leaves rigid motion alone: of each body's velocity only what no rigid motion explains gets smaller.
//!
//! ```text
//! v ← u + k (v − u),    u the rigid motion with the momenta of v, or the one that pins leave and make,    k = e^(−∫dt/τ)
//! ```
//!
//! u and v − u are orthogonal in the mass, so momenta stay and the energy falls by (1 − k²) ½‖v − u‖²_m. A vibration is half the
//! time in v: it loses its energy with the e-folding time τ.

use super::bodies::BodiesSolver;
use crate::model::bodies::node_of;
use crate::model::{Exchange, Hold, RigidMotion, Weighed};
use nalgebra::Vector3;

impl BodiesSolver {
    /// `keep` says k of each body, which has so much energy of vibration `[J]`; what it takes is noted by body and told.
    pub(super) fn take_vibration(
        &self,
        x: &[f64],
        keep: &mut dyn FnMut(usize, f64) -> f64,
        v: &mut [f64],
        by_body: &mut [Exchange],
    ) -> Exchange {
        let model = self.model();
        let masses = model.mass.of_nodes();
        let weigh = |field: &[f64]| {
            let mut weighed = vec![0.0; field.len()];
            model.mass.weigh(field, &mut weighed);
            weighed
        };
        let (heavy_x, heavy_v) = (weigh(x), weigh(v));
        let (mut rest, alike) = (vec![0.0; v.len()], vec![1.0; masses.len()]);
        for (body, nodes) in model.bodies.iter().map(|body| body.nodes.clone()).enumerate() {
            let hold = self.holds()[body];
            let (here, moving) =
                (Weighed { plain: x, times_mass: &heavy_x }, Weighed { plain: v, times_mass: &heavy_v });
            let rigid = if hold == Hold::Fast {
                // The frame that the pins make: each of them counts alike.
                let pinned = nodes.clone().filter(|&node| model.mass.is_pinned(node));
                let [here, moving] = [x, &*v].map(|plain| Weighed { plain, times_mass: plain });
                RigidMotion::of(pinned, &alike, here, moving, None)
            } else {
                RigidMotion::of(nodes.clone(), &masses, here, moving, hold.point())
            };
            if rigid.mass == 0.0 {
                continue;
            }
            let turn = match hold {
                Hold::Fast => rigid.turn_of(rigid.angular_momentum),
                _ => rigid.held_turn_of(hold, rigid.angular_momentum),
            };
            let drift = if hold.point().is_some() { Vector3::zeros() } else { rigid.velocity };
            for node in nodes.filter(|&node| !model.mass.is_pinned(node)) {
                let field = node_of(v, node) - drift - turn.cross(&(node_of(x, node) - rigid.centre));
                rest[3 * node..3 * node + 3].copy_from_slice(field.as_slice());
            }
        }
        let heavy_rest = weigh(&rest);
        let mut taken = Exchange::default();
        for (body, nodes) in model.bodies.iter().map(|body| body.nodes.clone()).enumerate() {
            let range = 3 * nodes.start..3 * nodes.end;
            let vibration: f64 = range.clone().map(|i| 0.5 * rest[i] * heavy_rest[i]).sum();
            let k = keep(body, vibration);
            if k == 1.0 {
                continue;
            }
            // ½‖v‖² − ½‖v − (1 − k)(v − u)‖²
            let along: f64 = range.clone().map(|i| v[i] * heavy_rest[i]).sum();
            let loss = (1.0 - k * k) * vibration;
            let fallen = (1.0 - k) * along - (1.0 - k) * (1.0 - k) * vibration;
            range.for_each(|i| v[i] -= (1.0 - k) * rest[i]);
            // What moving pins drag along, they pay for.
            let work = loss - fallen;
            by_body[body].damping_loss += loss;
            by_body[body].work += work;
            taken.damping_loss += loss;
            taken.work += work;
        }
        taken
    }
}
