//! Colours and materials of what is shown, where a format asks for some.

use crate::run::ShownBody;

/// The materials of all bodies, each name once.
#[derive(Debug)]
pub struct Materials<'a> {
    pub names: Vec<&'a str>,
    bodies: &'a [ShownBody],
}

impl<'a> Materials<'a> {
    pub fn of(bodies: &'a [ShownBody]) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for name in bodies.iter().flat_map(|body| &body.materials) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        Self { names, bodies }
    }

    /// Where in `names` a body's material is.
    pub fn index(&self, name: &str) -> usize {
        self.names.iter().position(|known| *known == name).unwrap_or(0)
    }

    /// Of a body: each material that it has, and the polygons that have it; none where its file had no materials.
    pub fn parts(&self, body: usize) -> Vec<(usize, Vec<usize>)> {
        let body = &self.bodies[body];
        let part = |(own, name): (usize, &String)| {
            let polygons = (0..body.material_of.len()).filter(|&at| body.material_of[at] as usize == own);
            (self.index(name), polygons.collect())
        };
        let parts = body.materials.iter().enumerate().map(part);
        parts.filter(|(_, polygons): &(usize, Vec<usize>)| !polygons.is_empty()).collect()
    }
}

/// M. Okabe, K. Ito, "Color Universal Design", 2008, black last; sRGB.
const PALETTE: [[u8; 3]; 8] = [
    [0xE6, 0x9F, 0x00],
    [0x56, 0xB4, 0xE9],
    [0x00, 0x9E, 0x73],
    [0xF0, 0xE4, 0x42],
    [0x00, 0x72, 0xB2],
    [0xD5, 0x5E, 0x00],
    [0xCC, 0x79, 0xA7],
    [0x00, 0x00, 0x00],
];
const OBSTACLES: [u8; 3] = [0xB4, 0xB8, 0xBE];

/// Of each body as pictures colour it, in linear light: bodies of one name before the point share a colour, obstacles are grey.
pub fn body_colours<'a>(bodies: &'a [ShownBody]) -> Vec<[f64; 3]> {
    let mut groups: Vec<&str> = Vec::new();
    let mut colour = |body: &'a ShownBody| {
        if body.kind == "obstacle" {
            return OBSTACLES.map(linear);
        }
        let group = body.name.split('.').next().unwrap_or("");
        let index = groups.iter().position(|known| *known == group).unwrap_or(groups.len());
        if index == groups.len() {
            groups.push(group);
        }
        palette_colour(index)
    };
    bodies.iter().map(&mut colour).collect()
}

/// Starting over after eight; linear light.
pub fn palette_colour(index: usize) -> [f64; 3] {
    PALETTE[index % PALETTE.len()].map(linear)
}

/// IEC 61966-2-1, to four digits: more are not seen.
fn linear(srgb: u8) -> f64 {
    let c = f64::from(srgb) / 255.0;
    let light = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    (1e4 * light).round() / 1e4
}
