//! Bodies of our own, kept as tables of parts that are blended into one: made to look at and to simulate, not after any scan.
//!
//! Both stand on z = 0, face −y and are a metre high; whoever wants another size scales them.

mod creature;
mod model;
mod part;
mod rabbit;

#[cfg(test)]
mod tests;

pub use model::Model;
pub use part::{Part, Shape};

/// How a model is made, and what it is good for.
#[derive(Debug)]
pub struct Blueprint {
    pub name: &'static str,
    /// One line for people who choose
    pub about: &'static str,
    /// Joined in this order
    pub parts: &'static [Part],
    /// Of ears, fingers and toes, across `[m]`
    pub thinnest: f64,
    /// Edge of the cells that fill it where nothing else is said `[m]`
    pub cell: f64,
    /// What such a solid has, about; twice the cell gives a sixth
    pub nodes: usize,
    /// Edge of the cells that show all of its features `[m]`
    pub skin_cell: f64,
}

/// All models.
pub const BLUEPRINTS: [&Blueprint; 2] = [&creature::CREATURE, &rabbit::RABBIT];

/// The model of that name, ready to be measured or meshed.
pub fn by_name(name: &str) -> Option<Model> {
    BLUEPRINTS.into_iter().find(|blueprint| blueprint.name == name).map(Model::new)
}
