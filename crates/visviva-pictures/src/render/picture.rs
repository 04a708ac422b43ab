//! What is seen in one image: bodies, a camera, the ground, words.
use super::overlay::Legend;
use super::view::Camera;
use crate::colour::Colour;
use nalgebra::Vector3;

/// The quiet grey of obstacles.
pub const OBSTACLE_GREY: Colour = Colour(0xB4, 0xB6, 0xBA);

/// A triangle surface, borrowed from whoever moves it.
#[derive(Debug, Clone, Copy)]
pub struct Body<'a> {
    /// `[m]`
    pub positions: &'a [Vector3<f64>],
    pub triangles: &'a [[u32; 3]],
    /// Pairs of vertices, drawn as thin dark lines that cast no shadow.
    pub wires: &'a [[u32; 2]],
    pub paint: Paint<'a>,
    /// 1 is solid.
    pub opacity: f64,
    pub style: Style,
}

#[derive(Debug, Clone, Copy)]
pub enum Paint<'a> {
    Plain(Colour),
    /// One value a vertex, coloured from the low end of `range` to its high end.
    Field {
        values: &'a [f64],
        range: (f64, f64),
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// Edges sharper than this stay sharp `[rad]`; 0 shows every triangle flat.
    pub crease_angle: f64,
    /// Draws the triangles' edges as thin lines.
    pub mesh_edges: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { crease_angle: 40f64.to_radians(), mesh_edges: false }
    }
}

impl<'a> Body<'a> {
    pub fn new(positions: &'a [Vector3<f64>], triangles: &'a [[u32; 3]], colour: Colour) -> Self {
        let paint = Paint::Plain(colour);
        Body { positions, triangles, wires: &[], paint, opacity: 1.0, style: Style::default() }
    }

    pub fn obstacle(positions: &'a [Vector3<f64>], triangles: &'a [[u32; 3]]) -> Self {
        Body::new(positions, triangles, OBSTACLE_GREY)
    }

    pub fn coloured_by(mut self, values: &'a [f64], range: (f64, f64)) -> Self {
        self.paint = Paint::Field { values, range };
        self
    }

    pub fn with_wires(mut self, wires: &'a [[u32; 2]]) -> Self {
        self.wires = wires;
        self
    }

    pub fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }

    pub fn with_edges(mut self) -> Self {
        self.style.mesh_edges = true;
        self
    }

    pub fn flat(mut self) -> Self {
        self.style.crease_angle = 0.0;
        self
    }
}

/// The moving bodies at one instant.
#[derive(Debug, Clone)]
pub struct State<'a> {
    pub bodies: Vec<Body<'a>>,
    /// Of the state as a whole: each is drawn by its own, then laid over the older ones.
    pub opacity: f64,
}

/// A floor that only shows shadows and a metric grid; it has no edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    /// Along the picture's up direction `[m]`.
    pub height: f64,
    /// Grid lines `[m]`; left open, 1, 2 or 5 times a power of ten after what the camera sees; 0 leaves them out.
    pub spacing: Option<f64>,
}

impl Ground {
    pub fn at(height: f64) -> Self {
        Ground { height, spacing: None }
    }
}

/// All that is seen in one image.
#[derive(Debug, Clone)]
pub struct Picture<'a> {
    /// `[px]`
    pub width: usize,
    pub height: usize,
    pub camera: Camera,
    /// Away from the ground, also where the light comes from.
    pub up: Vector3<f64>,
    /// Oldest first.
    pub states: Vec<State<'a>>,
    /// Bodies that stand still, and are drawn once and solid however many states there are.
    pub fixed: Vec<Body<'a>>,
    pub ground: Option<Ground>,
    pub legend: Option<Legend>,
    /// Above the picture; left empty, the picture takes its room.
    pub title: String,
    /// In the lower left corner, such as `t = 0.25 s`.
    pub caption: String,
}

impl<'a> Picture<'a> {
    /// Bodies at one instant, z up, without ground.
    pub fn new(width: usize, height: usize, camera: Camera, bodies: Vec<Body<'a>>) -> Self {
        let states = vec![State { bodies, opacity: 1.0 }];
        Picture {
            width,
            height,
            camera,
            up: Vector3::z(),
            states,
            fixed: Vec::new(),
            ground: None,
            legend: None,
            title: String::new(),
            caption: String::new(),
        }
    }

    /// A motion in one picture: earlier states fade, the last one is solid.
    pub fn superimposed(width: usize, height: usize, camera: Camera, states: Vec<Vec<Body<'a>>>) -> Self {
        let last = states.len().saturating_sub(1);
        let opacity = |k: usize| if k == last { 1.0 } else { 0.4 + 0.4 * k as f64 / last.max(1) as f64 };
        let states = states.into_iter().enumerate().map(|(k, bodies)| State { bodies, opacity: opacity(k) }).collect();
        Picture { states, ..Picture::new(width, height, camera, Vec::new()) }
    }

    pub fn with_fixed(mut self, fixed: Vec<Body<'a>>) -> Self {
        self.fixed = fixed;
        self
    }

    pub fn on_ground(mut self, ground: Ground) -> Self {
        self.ground = Some(ground);
        self
    }

    pub fn with_legend(mut self, legend: Legend) -> Self {
        self.legend = Some(legend);
        self
    }

    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    pub fn captioned(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }
}
