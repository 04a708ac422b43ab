//! Everyday materials by name.

use super::{refusal, scene};
use visviva::scene::{Body, EVERYDAY, Material, Scene};

fn body(material: &str) -> String {
    format!(
        "[[body]]\nname = \"it\"\nmaterial = \"{material}\"\nbox = {{ size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }}\n"
    )
}

#[test]
fn every_everyday_material_makes_a_solid_a_stiff_body_and_where_it_is_a_sheet_a_shell() {
    for row in &EVERYDAY {
        for kind in ["solid", "affine"] {
            let built = scene(&body(row.name), &[&format!("body.0.kind={kind}")]);
            let mass: f64 = built.model.node_mass.iter().sum();
            assert!((mass / (1e-3 * row.density) - 1.0).abs() < 1e-9, "{} {kind}: {mass}", row.name);
            assert!(built.warnings.is_empty(), "{}: {:?}", row.name, built.warnings);
        }
        let sheet = body(row.name)
            .replace("box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }", "disc = { radius = 0.5, rings = 3 }");
        let sheet = sheet.replace("[[body]]", "[[body]]\nkind = \"shell\"");
        match row.sheet {
            Some(known) => {
                let built = scene(&sheet, &[]);
                let (mass, area): (f64, f64) = (built.model.node_mass.iter().sum(), 2.5980762113533156 * 0.25);
                assert!(mass > area * row.density * known.thickness, "{}: {mass}", row.name);
            }
            None => {
                let said = refusal(&sheet, &[]);
                let advice = format!("what `visviva materials {} --toml` prints", row.name);
                assert!(said.contains("thickness is missing") && said.contains(&advice), "{said}");
            }
        }
    }
}

#[test]
fn the_table_is_in_order_and_within_what_matter_is_like() {
    for row in &EVERYDAY {
        assert!((0.0..0.5).contains(&row.poisson_ratio) && (10.0..2e4).contains(&row.density), "{row:?}");
        assert!((1e3..1e12).contains(&row.youngs_modulus), "{row:?}");
        assert!((0.0..=1.0).contains(&row.friction) && (0.0..=0.9).contains(&row.restitution), "{row:?}");
        assert_eq!(EVERYDAY.iter().filter(|other| other.name == row.name).count(), 1, "{}", row.name);
    }
    for kind in [false, true] {
        let moduli = EVERYDAY.iter().filter(|row| row.sheet.is_some() == kind).map(|row| row.youngs_modulus);
        assert!(moduli.is_sorted(), "from soft to stiff");
    }
}

#[test]
fn a_material_of_the_scene_comes_before_an_everyday_one() {
    let own = format!("[[material]]\nname = \"rubber\"\nyoungs_modulus = 1e5\ndensity = 7\n{}", body("rubber"));
    let mass: f64 = scene(&own, &[]).model.node_mass.iter().sum();
    assert!((mass - 7e-3).abs() < 1e-12, "{mass}");
    let said = refusal(&own, &["body.0.material=ruber"]);
    assert!(
        said.ends_with("did you mean `rubber`?; there are: rubber, and those that `visviva materials` lists"),
        "{said}"
    );
}

#[test]
fn materials_written_out_build_the_same_and_are_written_once() {
    let mut scene = ["steel", "steel", "own"].iter().enumerate().fold(Scene::new("t"), |scene, (i, name)| {
        scene.body(Body::ball(0.1, 1).named(format!("b{i}")).at([i as f64, 0.0, 0.0]).material(*name))
    });
    scene = scene.material(Material::new(1e5).named("own"));
    let before = scene.build().unwrap();
    scene.write_out_materials();
    let names: Vec<&str> = scene.materials.iter().map(|material| material.name.as_str()).collect();
    assert_eq!(names, ["own", "steel"]);
    let after = scene.build().unwrap();
    assert_eq!((&after.model.node_mass, &after.start), (&before.model.node_mass, &before.start));
    assert_eq!(after.model.contact, before.model.contact);
}

#[test]
fn a_soft_body_of_steel_is_hinted_at_and_one_of_rubber_is_not() {
    let hints = |material: &str, kind: &str| scene(&body(material), &[&format!("body.0.kind={kind}")]).hints;
    assert_eq!(
        hints("steel", "solid"),
        ["body `it`: steel hardly deforms; kind = \"affine\" computes it far more quickly"]
    );
    assert!(hints("steel", "affine").is_empty() && hints("rubber", "solid").is_empty());
}

#[test]
fn a_smooth_floor_under_a_rough_body_is_hinted_at_until_it_has_friction() {
    let floor = format!("{}translate = [0, 0, 1]\n[[obstacle]]\nname = \"floor\"\nplane = {{}}\n", body("rubber"));
    let hints = |changes: &[&str]| scene(&floor, changes).hints;
    let said = hints(&[]).join("");
    assert!(said.starts_with("body `it` slides on obstacle `floor`, which has no friction"), "{said}");
    let pair = "friction=[{between=[\"it\",\"floor\"],coefficient=0.4}]";
    for enough in ["obstacle.0.friction=0.5", "obstacle.0.friction=0", "contact.friction=0.3", pair] {
        assert!(hints(&[enough]).is_empty(), "{enough}");
    }
    assert!(hints(&["body.0.material={youngs_modulus=1e5}"]).is_empty());
}
