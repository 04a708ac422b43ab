//! The chain net hangs together: neighbours are linked, nothing else is, and no two links are near each other.

use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};
use visviva::contact::broad_phase::BroadPhase;
use visviva::contact::intersection::intersections;
use visviva::contact::surface::{Surface, SurfaceBody, SurfaceInput};
use visviva::mesh::generate::{ChainNet, NetLink};
use visviva::mesh::{MeshError, unique_edges};

/// Where contact forces begin `[m]`.
const ACTIVATION: f64 = 1e-3;

/// Links of 7 cm, as many as hold 15 cm.
fn gallery() -> ChainNet {
    ChainNet { columns: 8, rows: 8, major: 0.03, minor: 0.005, segments: 25, sides: 10 }
}

fn small() -> ChainNet {
    ChainNet { columns: 3, rows: 4, ..gallery() }
}

/// Two directions across the axis.
fn frame(link: &NetLink) -> [Vector3<f64>; 2] {
    let mut first = Vector3::zeros();
    first[(link.axis.iamax() + 1) % 3] = 1.0;
    [first, link.axis.cross(&first)]
}

/// The centre line of the wire and its derivative.
fn circle(link: &NetLink, major: f64, angle: f64) -> [Vector3<f64>; 2] {
    let ([e, f], (sin, cos)) = (frame(link), angle.sin_cos());
    [link.centre + (e * cos + f * sin) * major, (f * cos - e * sin) * major]
}

fn distance_to_circle(link: &NetLink, major: f64, x: &Vector3<f64>) -> f64 {
    let r = x - link.centre;
    let height = r.dot(&link.axis);
    ((r - link.axis * height).norm() - major).hypot(height)
}

/// Gauss's integral ∮∮ (x−y)·(dx×dy) / 4π|x−y|³ by the trapezoidal rule, which converges geometrically for circles apart.
fn linking_number(a: &NetLink, b: &NetLink, major: f64) -> f64 {
    const POINTS: usize = 96;
    let step = TAU / POINTS as f64;
    let points = |link| (0..POINTS).map(move |k| circle(link, major, step * k as f64));
    let mut sum = 0.0;
    for [x, dx] in points(a) {
        for [y, dy] in points(b) {
            sum += (x - y).dot(&dx.cross(&dy)) / (x - y).norm().powi(3);
        }
    }
    sum * step * step / (4.0 * PI)
}

/// How many half pitches lie between the centres in x and y: neighbours are a flat and an upright link one apart.
fn are_neighbours(a: &NetLink, b: &NetLink, net: &ChainNet) -> bool {
    let apart = (a.centre - b.centre).norm() / (0.5 * net.pitch());
    (apart - 1.0).abs() < 1e-9 && (a.axis.z != 0.0) != (b.axis.z != 0.0)
}

fn pairs(links: &[NetLink]) -> impl Iterator<Item = (&NetLink, &NetLink)> {
    links.iter().enumerate().flat_map(|(i, a)| links[..i].iter().map(move |b| (a, b)))
}

#[test]
fn neighbours_are_linked_once_and_no_others_are() {
    let net = small();
    let links = net.links().unwrap();
    let mut linked = 0;
    for (a, b) in pairs(&links) {
        let number = linking_number(a, b, net.major);
        let wanted = f64::from(are_neighbours(a, b, &net));
        assert!((number.abs() - wanted).abs() < 1e-9, "{} and {} are linked {number} times", a.name, b.name);
        linked += usize::from(wanted == 1.0);
    }
    assert_eq!(linked, 2 * (2 * 4 + 3 * 3), "each joining link holds two flat ones");
}

#[test]
fn no_two_links_are_within_several_activation_distances() {
    let net = gallery();
    let links = net.links().unwrap();
    const SAMPLES: usize = 720;
    // Distances change by no more than the way along the circle, so this much less than the least sample is a bound.
    let slack = net.major * PI / SAMPLES as f64;
    let mut least = f64::INFINITY;
    for (a, b) in pairs(&links).filter(|(a, b)| (a.centre - b.centre).norm() < 2.0 * (net.major + 0.01)) {
        let at = |k: usize| circle(a, net.major, TAU * k as f64 / SAMPLES as f64)[0];
        let between = (0..SAMPLES).map(|k| distance_to_circle(b, net.major, &at(k))).fold(f64::INFINITY, f64::min);
        least = least.min(between);
    }
    let ideal = (2.0 - 2f64.sqrt()) * net.major;
    assert!((least - ideal).abs() < slack, "{least} {ideal}");
    let bulge = 0.5 * (ideal - 2.0 * net.minor - net.clearance());
    assert!(least - slack - 2.0 * (net.minor + bulge) > 6.0 * ACTIVATION, "only {least} m between centre lines");
    // The bound on wires is one on meshes: no point of a facet is further from its centre line.
    for link in &links {
        for t in 0..link.mesh.triangles.len() {
            let [x, y, z] = link.mesh.corners(t);
            assert!((distance_to_circle(link, net.major, &x) - net.minor).abs() < 1e-15);
            for (i, j) in (0..=8).flat_map(|i| (0..=8 - i).map(move |j| (i as f64 / 8.0, j as f64 / 8.0))) {
                let inside = x + (y - x) * i + (z - x) * j;
                assert!(distance_to_circle(link, net.major, &inside) <= net.minor + bulge, "{} {t}", link.name);
            }
        }
    }
}

/// Whether any two links of a net cross, exactly.
fn crosses(links: &[NetLink]) -> bool {
    let mut input = SurfaceInput::default();
    let mut points = Vec::new();
    for (body, link) in links.iter().enumerate() {
        let first = points.len() as u32;
        points.extend(&link.mesh.positions);
        let triangles = link.mesh.triangles.iter().map(|t| t.map(|i| i + first));
        input.triangles.extend(triangles);
        input.vertex_body.resize(points.len(), body as u32);
        input.bodies.push(SurfaceBody { self_contact: true, ..SurfaceBody::default() });
    }
    input.edges = unique_edges(&input.triangles);
    input.vertex_fixed = vec![false; points.len()];
    input.edge_rest_squared = vec![1.0; input.edges.len()];
    let surface = Surface::new(input).unwrap();
    !intersections(&surface, &mut BroadPhase::default(), &points).is_empty()
}

#[test]
fn the_meshes_cross_neither_each_other_nor_themselves() {
    let mut links = small().links().unwrap();
    assert!(!crosses(&links));
    // Wires as thick as the clearance allows still pass.
    let thick = ChainNet { minor: small().minor + 0.499 * small().clearance(), ..small() };
    assert!(!crosses(&thick.links().unwrap()));
    // Outward, against the link that joins it.
    links[0].mesh.translate(-Vector3::x() * (small().clearance() + ACTIVATION)).unwrap();
    assert!(crosses(&links), "one link out of place is seen");
}

#[test]
fn the_gallery_net_has_its_size_counts_and_rim() {
    let net = gallery();
    let links = net.links().unwrap();
    assert_eq!((links.len(), net.link_count()), (176, 176));
    let vertices: usize = links.iter().map(|l| l.mesh.positions.len()).sum();
    let faces: usize = links.iter().map(|l| l.mesh.triangles.len()).sum();
    // With a ball of 2562 vertices and 5120 faces: 47k and 93k.
    assert_eq!((vertices, faces), (44_000, 88_000));
    assert_eq!(links.iter().filter(|l| l.rim).count(), 28);
    assert!(links.iter().filter(|l| l.rim).all(|l| l.name.starts_with("node-")));
    let mut names: Vec<&str> = links.iter().map(|l| l.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 176, "each name once");
    let middle: Vector3<f64> = links.iter().map(|l| l.centre).sum();
    assert!(middle.norm() < 1e-13);
    for link in links {
        let mut mesh = link.mesh;
        assert_eq!(mesh.validate_solid().unwrap(), [], "{}", link.name);
        let [low, high] = mesh.bounding_box().unwrap();
        assert!(((high - low).max() - 0.07).abs() < 2e-4, "{}", link.name);
    }
}

#[test]
fn impossible_nets_are_refused_by_name() {
    let too_thick = ChainNet { minor: 0.3 * 0.03, ..gallery() }.links().unwrap_err();
    assert!(too_thick.to_string().starts_with("the clearance between links"), "{too_thick}");
    assert!(ChainNet { rows: 0, ..gallery() }.links().is_err());
    assert!(ChainNet { major: f64::NAN, ..gallery() }.links().is_err());
    let huge = ChainNet { columns: usize::MAX, rows: usize::MAX, ..gallery() };
    assert!(matches!(huge.links(), Err(MeshError::TooMany { what: "triangles", .. })));
    assert_eq!(ChainNet { columns: 1, rows: 1, ..gallery() }.links().unwrap().len(), 1);
}
