//! From an array to the places of its copies, and what spacing it takes.

use super::BuildError;
use super::shape::Shaped;
use crate::math::splitmix::{signed, splitmix64};
use crate::mesh::Mesh;
use crate::scene::{Array, Body, Contact, StartContact};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// A typing error in counts should say so instead of filling the memory.
const MOST_COPIES: u128 = 10_000;
const MOST_ELEMENTS: u128 = 1 << 26;

/// A copy of a body: which it is, and how it lies, seen from the body's own place.
#[derive(Debug)]
pub(super) struct Instance {
    /// What its name ends with: `.0-0-0`, or nothing where the body is not repeated
    suffix: String,
    /// About a point `[m]`
    turn: Option<(UnitQuaternion<f64>, Vector3<f64>)>,
    /// `[m]`
    pub shift: Option<Vector3<f64>>,
}

impl Instance {
    /// The copy of a part of the body `whole`.
    pub fn of(&self, whole: &str, shaped: &Shaped) -> (String, Mesh) {
        let part = shaped.name.strip_prefix(whole).unwrap_or(&shaped.name);
        let mut mesh = shaped.mesh.clone();
        self.place(mesh.positions_mut());
        (format!("{whole}{}{part}", self.suffix), mesh)
    }

    /// Moves points of the body to where they are in the copy.
    pub fn place(&self, points: &mut [Vector3<f64>]) {
        if let Some((turn, middle)) = self.turn {
            points.iter_mut().for_each(|x| *x = middle + turn * (*x - middle));
        }
        if let Some(shift) = self.shift {
            points.iter_mut().for_each(|x| *x += shift);
        }
    }
}

impl Body {
    /// All copies, x counting slowest; one as it is where the body is not repeated.
    pub(super) fn instances(&self, parts: &[Shaped]) -> Result<Vec<Instance>, BuildError> {
        let Some(array) = &self.array else {
            return Ok(vec![Instance { suffix: String::new(), turn: None, shift: None }]);
        };
        array.check(parts).map_err(|problem| self.fail(format!("array.{problem}")))?;
        let [low, high] = bounds(parts);
        let middle = 0.5 * (low + high);
        let [nx, ny, nz] = array.counts;
        let cells = (0..nx).flat_map(|i| (0..ny).flat_map(move |j| (0..nz).map(move |k| [i, j, k])));
        Ok(cells.map(|cell| array.instance(cell, middle)).collect())
    }

    /// The spacing `[m]` with which no copies touch, whatever their shape.
    pub(super) fn spacing_needed(&self, parts: &[Shaped], contact: &Contact) -> Option<[f64; 3]> {
        let array = self.array.as_ref()?;
        let [low, high] = bounds(parts);
        let size = if array.turn.is_some() { Vector3::repeat((high - low).norm()) } else { high - low };
        let gap = 2.0 * array.jitter + contact.reach + self.contact_thickness.unwrap_or(0.0);
        Some(size.map(|extent| round_up(extent + gap)).into())
    }

    /// Says what to do, where copies of this array start in each other.
    pub(super) fn advise_spacing(&self, found: &mut StartContact, needed: [f64; 3]) {
        let Some(array) = &self.array else { return };
        found.advice = format!(
            ": they are copies of `{}`, whose array.spacing = {:?} is too small; array.spacing = {needed:?} is enough",
            self.name,
            array.spacing.along(),
        );
    }
}

impl Array {
    fn check(&self, parts: &[Shaped]) -> Result<(), String> {
        let (counts, spacing) = (self.counts, self.spacing.along());
        if counts.contains(&0) {
            return Err(format!("counts = {counts:?}: there must be at least 1 along each axis"));
        }
        let copies = counts.iter().fold(1u128, |product, &count| product.saturating_mul(count as u128));
        if copies > MOST_COPIES {
            return Err(format!("counts = {counts:?} are {copies} copies; at most {MOST_COPIES} are possible"));
        }
        let elements: usize = parts.iter().map(|part| part.mesh.element_count()).sum();
        if copies * elements as u128 > MOST_ELEMENTS {
            return Err(format!(
                "counts = {counts:?}: {copies} copies of {elements} elements are more than {MOST_ELEMENTS}, which no memory holds"
            ));
        }
        for axis in 0..3 {
            let step = spacing[axis];
            if !step.is_finite() || (step == 0.0 && counts[axis] > 1) {
                return Err(format!(
                    "spacing = {spacing:?}: it must be finite, and not zero where there are several copies"
                ));
            }
        }
        if !(self.jitter >= 0.0 && self.jitter.is_finite()) {
            return Err(format!("jitter = {} m: it must be finite and not negative", self.jitter));
        }
        Ok(())
    }

    /// Random numbers belong to the cell: more copies leave those that were there as they were.
    fn instance(&self, cell: [usize; 3], middle: Vector3<f64>) -> Instance {
        let mut random =
            cell.iter().fold(u64::from(self.seed), |mut state, &index| splitmix64(&mut state) ^ index as u64);
        let spacing = self.spacing.along();
        let grid = Vector3::from_fn(|axis, _| cell[axis] as f64 * spacing[axis]);
        let jitter = Vector3::from_fn(|_, _| self.jitter * signed(&mut random));
        let [i, j, k] = cell;
        Instance {
            suffix: format!(".{i}-{j}-{k}"),
            turn: self.turn.map(|_| (any_rotation(&mut random), middle)),
            shift: Some(grid + jitter),
        }
    }
}

/// All equally likely: a point of the ball in four dimensions, as a quaternion.
fn any_rotation(random: &mut u64) -> UnitQuaternion<f64> {
    loop {
        let [w, i, j, k] = std::array::from_fn(|_| signed(random));
        let quaternion = Quaternion::new(w, i, j, k);
        if (0.01..=1.0).contains(&quaternion.norm_squared()) {
            return UnitQuaternion::from_quaternion(quaternion);
        }
    }
}

fn bounds(parts: &[Shaped]) -> [Vector3<f64>; 2] {
    let bounds = parts.iter().map(|part| part.mesh.bounds());
    bounds.reduce(|a, b| [a[0].inf(&b[0]), a[1].sup(&b[1])]).unwrap_or_default()
}

/// To three digits.
fn round_up(length: f64) -> f64 {
    let decimals = (2.0 - length.log10().floor()).clamp(0.0, 15.0) as i32;
    // What rounding put on top is nothing; by a division 101 thousandths are written as 0.101.
    (length * 10f64.powi(decimals) - 1e-6).ceil() / 10f64.powi(decimals)
}
