//! `visviva bench growth`: the same dice, more and more of them; what grows linearly keeps its time a step and die.

use super::{Common, PARTS, PHASES, phases, remarks};
use crate::failure::Usage;
use crate::table::Table;
use std::fmt::Write;
use visviva::scene::SceneSource;

#[derive(Debug, clap::Args)]
pub struct GrowthArgs {
    /// How many dice
    #[arg(long, value_delimiter = ',', default_value = "1,8,64")]
    dice: Vec<usize>,
    /// `solid` dice have a node at each corner of their cells, `affine` ones four for the same surface
    #[arg(long, default_value = "solid", value_parser = ["solid", "affine"])]
    kind: String,
    /// Cells along each side of a die
    #[arg(long, default_value_t = 8)]
    cells: usize,
    #[arg(long, default_value = "a-search")]
    integrator: String,
    /// Simulated time after the first contact [s]
    #[arg(long, default_value_t = 0.5)]
    duration: f64,
    #[command(flatten)]
    common: Common,
}

const SIDE: f64 = 0.1;
const TILT: f64 = 0.35;
/// From centre to centre [m]: dice that tip over land beside each other.
const SPACING: f64 = 0.3;
/// [m]
const FALL: f64 = 5e-3;
const GRAVITY: f64 = 9.8;

impl GrowthArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        if self.dice.contains(&0) || self.dice.is_empty() {
            return Err(Usage("--dice: at least one is needed".to_owned()).into());
        }
        self.common.start_threads()?;
        let header = ["dice", "nodes", "steps", "Newton", "seconds", "ms/step", "ms/step/die"];
        let mut table = Table::new(header.into_iter().chain(PHASES).chain(["MiB", ""]));
        let mut rows = Vec::new();
        for &dice in &self.dice {
            let source =
                SceneSource { name: format!("{dice} dice"), text: self.scene(dice), folder: Default::default() };
            let s = self.common.measure(&source, vec![format!("run.integrator={}", self.integrator)], None)?;
            let step = 1e3 / s.tally.steps.max(1) as f64;
            let mut cells = vec![
                dice.to_string(),
                s.nodes.to_string(),
                s.tally.steps.to_string(),
                s.tally.newton_iterations.to_string(),
                format!("{:.2}", s.tally.step_wall_s),
                format!("{:.1}", step * s.tally.step_wall_s),
                format!("{:.2}", step * s.tally.step_wall_s / dice as f64),
            ];
            cells.extend(phases(&s.phases_s).map(|seconds| format!("{:.2}", step * seconds / dice as f64)));
            cells.push(s.peak_memory_mib.map_or(String::new(), |m| format!("{m:.0}")));
            cells.push(remarks(&s));
            table.row(cells);
            rows.push(serde_json::json!({ "dice": dice, "summary": s }));
        }
        if self.common.json {
            println!("{}", serde_json::to_string_pretty(&rows)?);
        } else {
            let threads = rayon::current_num_threads();
            println!(
                "{}, {} dice, on {threads} threads; phases in ms a step and die. {PARTS}\n",
                self.integrator, self.kind
            );
            print!("{table}");
        }
        Ok(())
    }

    /// A square of tilted dice just above a plane, as in the dice roll.
    fn scene(&self, dice: usize) -> String {
        let duration = self.duration + (2.0 * FALL / GRAVITY).sqrt();
        let kind = &self.kind;
        let (cells, along) = (self.cells, (dice as f64).sqrt().ceil() as usize);
        let mut text = format!(
            "title = \"{dice} dice\"\ngravity = [0, 0, -{GRAVITY}]\nrun = {{ h = \"1/120\", duration = {duration} }}\n\
             contact = {{ friction = 0.5 }}\nmaterial = [{{ name = \"rubber\", youngs_modulus = 3e5 }}]\n\
             obstacle = [{{ name = \"ground\", plane = {{ size = {size} }} }}]\n",
            size = 2.0 * SPACING * along as f64 + 10.0,
        );
        let height = 0.5 * SIDE * (TILT.cos() + TILT.sin()) + FALL;
        for die in 0..dice {
            let place = |index: usize| SPACING * (index as f64 - 0.5 * (along - 1) as f64);
            let (x, y) = (place(die / along), place(die % along));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "[[body]]\nname = \"die{die}\"\nkind = \"{kind}\"\nmaterial = \"rubber\"\n\
                 box = {{ size = [{SIDE}, {SIDE}, {SIDE}], cells = [{cells}, {cells}, {cells}] }}\n\
                 rotate = {{ axis = [0, 1, 0], angle = {TILT} }}\ntranslate = [{x}, {y}, {height}]\n\
                 velocity = {{ linear = [0.3, 0, 0] }}"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        growth: GrowthArgs,
    }

    #[test]
    fn dice_start_apart_and_above_the_plane() {
        for (kind, dice) in [("solid", 1), ("solid", 3), ("solid", 8), ("affine", 8)] {
            let growth = Line::parse_from(["growth", "--cells", "1", "--kind", kind]).growth;
            let source = SceneSource { name: "dice".into(), text: growth.scene(dice), folder: Default::default() };
            let built = source.parse(&[]).unwrap().build().unwrap();
            assert_eq!(built.model.bodies.len(), dice);
            let places = built.model.at_vertices(&built.start.x);
            let ground = built.model.obstacles[0].vertices.start;
            let lowest = places[..ground].iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
            assert!((lowest - FALL).abs() < 1e-12, "{lowest}");
        }
    }
}
