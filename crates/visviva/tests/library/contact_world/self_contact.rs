//! Bodies that may touch themselves: which do where a scene does not say, and what is told of the others.

use nalgebra::Vector3;
use visviva::mesh::TetMesh;
use visviva::mesh::generate::cuboid;
use visviva::scene::{Body, Built, Contact, Material, Obstacle, Scene, unwatched};

fn cloth(rings: usize) -> Body {
    Body::disc(0.1, rings).shell().named("cloth").material(Material::new(1e6).sheet(1e-3, 0.5))
}

/// Two cubes in one mesh, the second shifted along x `[m]`.
fn twins(shift: f64) -> TetMesh {
    let mut both = cuboid(Vector3::repeat(0.1), [1; 3]).unwrap();
    let (count, one) = (both.positions.len() as u32, both.clone());
    both.positions.extend(one.positions.iter().map(|x| x + Vector3::new(shift, 0.0, 0.0)));
    both.tets.extend(one.tets.iter().map(|tet| tet.map(|node| node + count)));
    both
}

fn with(body: Body, self_contact: Option<bool>) -> Scene {
    Scene::new("alone").body(body).contact(Contact { self_contact, ..Contact::default() })
}

fn watches_itself(built: &Built) -> bool {
    built.model.contact.as_ref().is_some_and(|contact| contact.touches_itself(0))
}

#[test]
fn shells_and_solids_of_several_parts_watch_themselves_and_a_scene_may_say_otherwise() {
    let coarse = with(cloth(10), None).build().unwrap();
    assert!(watches_itself(&coarse) && unwatched(&coarse.model).is_none());
    let apart = with(Body::tets(twins(0.2)), None).build().unwrap();
    assert!(watches_itself(&apart));
    let whole = with(Body::cuboid([0.1; 3], [1; 3]), None).build().unwrap();
    assert!(whole.model.contact.is_none());
    assert_eq!(
        unwatched(&whole.model).unwrap(),
        "whether `box` goes through itself (contact.self_contact = true watches it)"
    );
    let told = with(cloth(10), Some(false)).build().unwrap();
    assert!(told.model.contact.is_none() && unwatched(&told.model).is_some());
    assert!(watches_itself(&with(Body::cuboid([0.1; 3], [1; 3]), Some(true)).build().unwrap()));
}

#[test]
fn a_shell_whose_triangles_are_as_small_as_the_reach_does_not_push_itself_apart() {
    // Triangles 0.9 mm high, and a reach of 1 mm.
    let fine = with(cloth(100), None).build().unwrap();
    assert!(!watches_itself(&fine) && unwatched(&fine.model).is_some());
}

#[test]
fn parts_that_overlap_or_are_not_joined_are_no_sound_body() {
    let overlapping = with(Body::tets(twins(0.05)).named("twins"), None).build().unwrap_err().to_string();
    assert!(overlapping.contains("`twins` goes through itself at the start"), "{overlapping}");
    let cut = with(Body::tets(twins(0.1)).named("twins"), None).build().unwrap_err().to_string();
    assert!(cut.contains("body `twins`: nodes") && cut.contains("lie at the same point"), "{cut}");
    let allowed = with(Body::tets(twins(0.1)), Some(false)).build().unwrap();
    assert!(allowed.warnings.iter().any(|warning| warning.contains("lie at the same point")), "{:?}", allowed.warnings);
    // Something else to touch, so that there is contact.
    let floor = Obstacle::plane().at([0.0, 0.0, -1.0]);
    let ignored = with(Body::tets(twins(0.05)), Some(false)).obstacle(floor).build().unwrap();
    assert!(ignored.warnings.iter().any(|warning| warning.contains("goes through itself")), "{:?}", ignored.warnings);
}
