//! Everyday materials by name, with numbers as handbooks have them: typical ones, of which each real material strays by half or more.
//!
//! They are orders of magnitude to begin with, no measurements: friction is dry, against a like surface, at the low end of what is
//! found. What hardly changes its volume has a Poisson's ratio of 0.45: with more, linear elements lock.

use super::{Material, MaterialChoice, Scene};
use std::sync::LazyLock;

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EverydayMaterial {
    pub name: &'static str,
    /// `[Pa]`
    pub youngs_modulus: f64,
    pub poisson_ratio: f64,
    /// `[kg/m³]`
    pub density: f64,
    /// How it is as a sheet; solids and affine bodies do without
    pub sheet: Option<Sheet>,
    /// Coefficient of friction
    pub friction: f64,
    /// Of its contacts, from 0 to 1
    pub restitution: f64,
    /// What is meant
    pub about: &'static str,
}

/// What only shells need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sheet {
    /// `[m]`
    pub thickness: f64,
    /// Young's modulus against bending `[Pa]`: threads slide where cloth bends
    pub bending_modulus: f64,
}

/// What is stiffer hardly deforms: as an affine body it is as good and far quicker `[Pa]`.
pub const STIFF: f64 = 1e8;

/// Of `name`, modulus, ratio, density, friction, restitution.
const fn solid(name: &'static str, numbers: [f64; 5], about: &'static str) -> EverydayMaterial {
    let [youngs_modulus, poisson_ratio, density, friction, restitution] = numbers;
    EverydayMaterial { name, youngs_modulus, poisson_ratio, density, sheet: None, friction, restitution, about }
}

/// The same with thickness and bending modulus.
const fn sheet(name: &'static str, numbers: [f64; 5], sheet: [f64; 2], about: &'static str) -> EverydayMaterial {
    let [thickness, bending_modulus] = sheet;
    EverydayMaterial { sheet: Some(Sheet { thickness, bending_modulus }), ..solid(name, numbers, about) }
}

/// From soft to stiff, sheets after solids.
pub const EVERYDAY: [EverydayMaterial; 31] = [
    solid("jelly", [5e3, 0.45, 1050.0, 0.3, 0.8], "gelatine pudding"),
    solid("sponge", [1e4, 0.2, 60.0, 0.6, 0.5], "household sponge, dry"),
    solid("flesh", [3e4, 0.45, 1060.0, 0.5, 0.4], "muscle at rest"),
    solid("foam", [5e4, 0.25, 30.0, 0.6, 0.5], "upholstery foam"),
    solid("gummy", [1e5, 0.45, 1300.0, 0.5, 0.7], "gummy sweets"),
    solid("soft-rubber", [5e5, 0.45, 1000.0, 0.8, 0.8], "rubber band, Shore A 20"),
    solid("silicone", [1e6, 0.45, 1150.0, 0.6, 0.7], "baking mould, Shore A 35"),
    solid("rubber", [2.5e6, 0.45, 1100.0, 0.8, 0.8], "bouncing ball, Shore A 50"),
    solid("hard-rubber", [1e7, 0.45, 1200.0, 0.7, 0.7], "tyre tread, Shore A 80"),
    solid("cork", [2e7, 0.05, 180.0, 0.5, 0.6], "bottle cork"),
    solid("plastic", [2.2e9, 0.37, 1050.0, 0.35, 0.7], "ABS, as toy bricks"),
    solid("ice", [9e9, 0.33, 917.0, 0.05, 0.5], "near its melting point"),
    solid("wood", [1e10, 0.35, 550.0, 0.4, 0.5], "pine, along the grain"),
    solid("concrete", [3e10, 0.2, 2400.0, 0.6, 0.4], "paving slab"),
    solid("stone", [5e10, 0.25, 2650.0, 0.6, 0.5], "granite"),
    solid("glass", [7e10, 0.22, 2500.0, 0.4, 0.8], "window glass"),
    solid("aluminium", [7e10, 0.33, 2700.0, 0.4, 0.7], "window frame"),
    solid("brass", [1e11, 0.34, 8500.0, 0.4, 0.7], "door handle"),
    solid("steel", [2e11, 0.29, 7850.0, 0.4, 0.8], "spanner"),
    sheet("skin", [5e5, 0.45, 1100.0, 0.5, 0.4], [1.5e-3, 5e5], "human skin"),
    sheet("felt", [5e5, 0.2, 170.0, 0.4, 0.3], [3e-3, 2e5], "craft felt, 0.5 kg/m²"),
    sheet("rubber-sheet", [1e6, 0.45, 950.0, 0.8, 0.7], [3e-4, 1e6], "latex glove or balloon"),
    sheet("knit", [1e6, 0.3, 300.0, 0.4, 0.3], [6e-4, 2e5], "T-shirt jersey, 0.18 kg/m²"),
    sheet("cloth", [5e6, 0.3, 500.0, 0.4, 0.3], [4e-4, 1e6], "plain woven cloth, 0.2 kg/m²"),
    sheet("silk", [1e7, 0.3, 400.0, 0.3, 0.3], [1.5e-4, 5e6], "scarf, 0.06 kg/m²"),
    sheet("cotton", [1e7, 0.3, 500.0, 0.4, 0.3], [3e-4, 2e6], "shirt or bed sheet, 0.15 kg/m²"),
    sheet("denim", [3e7, 0.3, 500.0, 0.5, 0.3], [8e-4, 1e6], "jeans, 0.4 kg/m²"),
    sheet("leather", [5e7, 0.4, 900.0, 0.5, 0.4], [1.5e-3, 1e7], "shoe upper, 1.35 kg/m²"),
    sheet("cardboard", [5e8, 0.3, 700.0, 0.4, 0.4], [1e-3, 5e8], "back of a writing pad"),
    sheet("paper", [3e9, 0.3, 800.0, 0.4, 0.4], [1e-4, 3e9], "copying paper, 80 g/m²"),
    sheet("foil", [7e10, 0.33, 2700.0, 0.4, 0.4], [1.5e-5, 7e10], "aluminium foil"),
];

static MATERIALS: LazyLock<Vec<Material>> = LazyLock::new(|| EVERYDAY.iter().map(Material::from).collect());

impl From<&EverydayMaterial> for Material {
    fn from(row: &EverydayMaterial) -> Self {
        let plain = Self::new(row.youngs_modulus).named(row.name).poisson_ratio(row.poisson_ratio).density(row.density);
        Self {
            thickness: row.sheet.map(|sheet| sheet.thickness),
            bending_modulus: row.sheet.map(|sheet| sheet.bending_modulus),
            ..plain.friction(row.friction).restitution(row.restitution)
        }
    }
}

impl Material {
    /// Of the table of everyday materials; None where it has none of that name.
    pub fn everyday(name: &str) -> Option<&'static Self> {
        MATERIALS.iter().find(|material| material.name == name)
    }
}

impl Scene {
    /// Takes the everyday materials that bodies name into its own list: another version's table then changes nothing.
    pub fn write_out_materials(&mut self) {
        for body in &self.bodies {
            if let MaterialChoice::Named(name) = &body.material
                && self.materials.iter().all(|own| own.name != *name)
            {
                self.materials.extend(Material::everyday(name).cloned());
            }
        }
    }
}
