//! The gallery's scenes made small, and brought close to their first contact; and two that mix what they do not.

use super::INTEGRATORS;
use std::fmt::Write;
use std::path::Path;
use visviva::mesh::generate;

pub struct Case {
    pub name: &'static str,
    /// A gallery scene or a file
    pub scene: String,
    pub changes: Vec<String>,
    /// As on the command line
    pub h: String,
    pub steps: u32,
    /// Of the families, or these
    integrators: Vec<&'static str>,
}

impl Case {
    fn gallery(name: &'static str, h: &str, steps: u32, changes: &[&str]) -> Self {
        let changes = changes.iter().map(|change| change.to_string()).collect();
        Self { name, scene: name.into(), changes, h: h.into(), steps, integrators: INTEGRATORS.to_vec() }
    }

    fn step(&self) -> f64 {
        1.0 / self.h.strip_prefix("1/").unwrap().parse::<f64>().unwrap()
    }

    pub fn duration(&self) -> String {
        format!("{:?}", f64::from(self.steps) * self.step())
    }

    pub fn frame_rate(&self) -> String {
        format!("{:?}", 1.0 / self.step())
    }

    pub fn integrators(&self) -> &[&'static str] {
        &self.integrators
    }
}

/// `folder` is where files that they need are put.
pub fn cases(folder: &Path) -> Vec<Case> {
    let file = |name: &str, text: String| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let mesh = format!("body.0.file={}", file("egg.msh", egg()));
    let ball = ["body.0.translate=[0,0,0.0508]", "body.0.velocity={linear=[0.3,0,-2],angular=[0,5,0]}"];
    let soft = [ball[0], ball[1], "body.0.ball={radius=0.05,shells=2}", "contact.friction=0.3"];
    let mut dice: Vec<String> = Vec::new();
    for die in 0..8 {
        dice.push(format!("body.{die}.box.cells=[2,2,2]"));
        dice.push(format!("body.{die}.translate=[0,{:.2},0.0646]", 0.3 * f64::from(die) - 1.05));
    }
    let dice: Vec<&str> = dice.iter().map(String::as_str).collect();
    let mut cases = vec![
        Case::gallery("rotating-cube-soft", "1/30", 6, &["body.0.box.cells=[4,4,4]"]),
        Case::gallery("rotating-cube-stiff", "1/30", 6, &["body.0.box.cells=[4,4,4]", "solver.linear=iterative"]),
        Case::gallery("twisted-bar", "1/30", 5, &["body.0.box.cells=[8,6,3]", "energy.target=decay", "energy.tau=2"]),
        Case::gallery("suspended-armadillo", "1/30", 4, &[&mesh, "body.0.translate=[0,0,0.25]"]),
        Case::gallery("bouncing-ball-soft", "1/120", 10, &soft),
        Case::gallery("bouncing-ball-medium", "1/120", 8, &soft),
        Case::gallery("bouncing-ball-stiff", "1/120", 8, &soft[..3]),
        Case::gallery("bouncing-ball-affine", "1/120", 12, &[ball[0], ball[1], "body.0.icosphere.subdivisions=2"]),
        Case::gallery("dice-roll", "1/120", 5, &dice),
        Case::gallery(
            "stair-drop",
            "1/120",
            5,
            &[
                "body.0.torus.rings=1",
                "body.0.torus.around=16",
                "body.0.translate=[0.15,0,0.1275]",
                "material.0.damping_stiffness=1e-3",
            ],
        ),
        Case::gallery(
            "bunny-stair-drop",
            "1/120",
            4,
            &[&mesh, "body.0.translate=[0.17,0,0.1255]", "body.0.velocity={linear=[0.5,0,-1]}"],
        ),
        Case::gallery("vibrating-membrane", "1/120", 4, &["body.0.disc.rings=8"]),
        Case::gallery(
            "armadillo-trampoline",
            "1/120",
            4,
            &[
                &mesh,
                "body.0.height=0.4",
                "body.0.translate=[0,0,0.2003]",
                "body.0.velocity={linear=[0,0,-1]}",
                "body.1.disc.rings=6",
                "pin.0.nodes=[91,95,100,104,109,113,118,122]",
            ],
        ),
        Case::gallery(
            "rabbits",
            "1/48",
            3,
            &["body.0.cells=7", "body.1.cells=7", "body.2.cells=7", "energy.ground=0", "contact.self_contact=false"],
        ),
        Case::gallery(
            "slider-crank",
            "1/120",
            6,
            &["body.3.icosphere.subdivisions=1", "body.3.translate=[0.4803,0,0.12077]"],
        ),
        Case::gallery("drop", "1/120", 4, &["body.0.cells=8", "body.0.translate=[0,0,0.06]"]),
        Case::gallery(
            "bunny-splash",
            "1/120",
            4,
            &[
                "body.0.file=none.obj",
                "body.0.cells=8",
                "body.0.translate=[0.015,0.015,0.0622]",
                "body.0.velocity={linear=[0,0,-1]}",
                "body.1.box.cells=[1,1,1]",
                "body.1.array.counts=[2,2,2]",
                "body.1.translate=[0,0,0.0156]",
            ],
        ),
        Case::gallery(
            "chain-net",
            "1/120",
            6,
            &[
                "body.0.chain_net.rings=[3,3]",
                "body.0.chain_net.segments=[8,4]",
                "body.1.icosphere.subdivisions=1",
                "body.1.translate=[0,0,0.1105]",
                "body.1.velocity={linear=[0,0,-1]}",
                "pin.0.halfspace.point=[0.1,0,0]",
                "pin.1.halfspace.point=[-0.1,0,0]",
                "pin.2.halfspace.point=[0,0.1,0]",
                "pin.3.halfspace.point=[0,-0.1,0]",
            ],
        ),
    ];
    for (name, text, steps) in [("mixture", MIXTURE, 6), ("press", PRESS, 6)] {
        cases.push(Case {
            scene: file(&format!("{name}.toml"), text.into()),
            ..Case::gallery(name, "1/120", steps, &[])
        });
    }
    // Stages that depend on each other, and the other rules of α.
    let few = vec!["dirk:tableau=gauss4", "a-search-sparse", "decoupled:tableau=radau3,alpha=1"];
    cases.push(Case {
        integrators: few,
        ..Case::gallery("rotating-cube-soft", "1/120", 5, &["body.0.box.cells=[2,2,2]"])
    });
    // Explicit methods want a shorter step to get anywhere.
    let explicit = vec!["symplectic-euler", "stormer-verlet", "rk4"];
    cases.push(Case {
        integrators: explicit,
        name: "bouncing-ball-soft-slowly",
        ..Case::gallery("bouncing-ball-soft", "1/20000", 40, &soft)
    });
    cases
}

/// A small egg of tets, as Gmsh writes it.
fn egg() -> String {
    let mesh = generate::ellipsoid([0.1, 0.125, 0.08].into(), 2).unwrap();
    let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", mesh.positions.len());
    for (k, p) in mesh.positions.iter().enumerate() {
        writeln!(text, "{} {:?} {:?} {:?}", k + 1, p.x, p.y, p.z).unwrap();
    }
    writeln!(text, "$EndNodes\n$Elements\n{}", mesh.tets.len()).unwrap();
    for (k, tet) in mesh.tets.iter().enumerate() {
        let [a, b, c, d] = tet.map(|node| node + 1);
        writeln!(text, "{} 4 2 0 1 {a} {b} {c} {d}", k + 1).unwrap();
    }
    text + "$EndElements\n"
}

/// All kinds of bodies in friction and damping, one of them held.
const MIXTURE: &str = r#"
title = "A soft block and a stiff one fall on a sheet, and it on itself"
[run]
h = "1/120"
duration = 1
[contact]
friction = 0.4
self_contact = true
[[material]]
name = "rubber"
youngs_modulus = 2e5
damping_mass = 0.5
damping_stiffness = 5e-4
[[body]]
name = "block"
material = "rubber"
box = { size = [0.1, 0.08, 0.06], cells = [2, 2, 2] }
rotate = { axis = [1, 0.3, 0], angle = 0.1 }
translate = [-0.12, 0.0, 0.0375]
velocity = { linear = [0.4, 0, -1] }
[[body]]
name = "brick"
kind = "affine"
material = { youngs_modulus = 1e7, density = 2000 }
box = { size = [0.06, 0.06, 0.06], cells = [1, 1, 1] }
rotate = { axis = [1, 1, 0.2], angle = 0.6 }
translate = [0.05, 0.02, 0.0535]
velocity = { linear = [-0.5, 0, -1.2], angular = [3, 2, 1] }
[[body]]
name = "sheet"
kind = "shell"
material = { youngs_modulus = 1e6, thickness = 1e-3, density = 500 }
rectangle = { size = [0.5, 0.3], cells = [8, 5] }
[[pin]]
body = "sheet"
halfspace = { point = [0.24, 0, 0], normal = [1, 0, 0] }
[[obstacle]]
name = "floor"
plane = { point = [0, 0, -0.0008], normal = [0, 0, 1], size = 2 }
"#;

/// What moves by itself: an obstacle from above, a pinned side that is turned.
const PRESS: &str = r#"
title = "A plate comes down on a block whose foot is turned"
[run]
h = "1/120"
duration = 1
[energy]
target = "schedule"
schedule = [[0.01, 0.5]]
start_scale = 0.95
[contact]
friction = 0.2
[[material]]
name = "rubber"
law = "stable-neo-hookean"
youngs_modulus = 1e5
[[body]]
name = "block"
material = "rubber"
box = { size = [0.1, 0.1, 0.1], cells = [3, 3, 3] }
translate = [0.0, 0.0, 0.05]
[[body]]
name = "ball"
material = "rubber"
ball = { radius = 0.03, shells = 2 }
translate = [0.0, 0.12, 0.05]
velocity = { linear = [0, -2, 0], angular = [20, 0, 0] }
[[pin]]
body = "block"
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
turn = { axis = [0, 0, 1], centre = [0, 0, 0], angle = [[0.0, 0.0], [0.1, 0.5]] }
[[obstacle]]
name = "plate"
box = { size = [0.3, 0.3, 0.02] }
translate = [0.0, 0.0, 0.1115]
shift = [[0.0, 0.0, 0.0, 0.0], [0.1, 0.01, 0.0, -0.03]]
"#;
