//! USD text: a stage that says its units, and meshes whose points move; parsed lightly. The script test-exports asks usd-core.

use super::{FRAMES, QUADS, box_in, exported, uv};

/// What stands in the braces after a heading.
fn block<'a>(text: &'a str, heading: &str) -> &'a str {
    let after = &text[text.find(heading).unwrap_or_else(|| panic!("{heading} is not in: {text}"))..];
    let open = after.find('{').unwrap();
    let mut depth = 0;
    let closes = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0 && c == '}'
    };
    let end = after[open..].find(closes).unwrap();
    &after[open + 1..open + end]
}

/// All numbers of an attribute's line.
fn numbers(text: &str, attribute: &str) -> Vec<f64> {
    let line =
        text.lines().find(|line| line.trim_start().starts_with(attribute)).unwrap_or_else(|| panic!("{attribute}"));
    let value = line[line.find(attribute).unwrap() + attribute.len()..].trim_start_matches([' ', '=', ':']);
    let words = value.split(|c: char| !(c.is_ascii_alphanumeric() || "-+.".contains(c)));
    words.filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect()
}

fn stage() -> String {
    let [(name, bytes)] = &exported("usd")[..] else { panic!("one file") };
    assert_eq!(name, "motion.usda");
    String::from_utf8(bytes.clone()).unwrap()
}

#[test]
fn a_stage_says_its_units_its_axis_and_its_times() {
    let text = stage();
    let head = &text[..text.find("def ").unwrap()];
    assert!(head.starts_with("#usda 1.0\n("));
    let said = [
        "defaultPrim = \"root\"",
        "metersPerUnit = 1\n",
        "upAxis = \"Z\"",
        "timeCodesPerSecond = 50\n",
        "startTimeCode = 0\n",
    ];
    said.iter().for_each(|line| assert!(head.contains(line), "{line} is not in {head}"));
    assert!(head.contains("framesPerSecond = 50\n") && head.contains(&format!("endTimeCode = {}\n", FRAMES - 1)));
}

#[test]
fn a_body_has_its_polygons_and_its_points_in_every_frame() {
    let text = stage();
    let mesh = block(&text, "def Mesh \"my_box\"");
    assert!(text.contains("def Mesh \"my_box\" (\n        displayName = \"my box\""));
    assert_eq!(numbers(mesh, "int[] faceVertexCounts"), [4.0; 6]);
    assert_eq!(
        numbers(mesh, "int[] faceVertexIndices"),
        QUADS.as_flattened().iter().map(|&v| f64::from(v)).collect::<Vec<_>>()
    );
    assert!(mesh.contains("uniform token subdivisionScheme = \"none\""));
    let (points, velocities) = (block(mesh, "points.timeSamples"), block(mesh, "velocities.timeSamples"));
    for frame in 0..FRAMES {
        let expected = box_in(frame);
        let code = format!("{frame}:");
        assert_eq!(numbers(points, &code), expected.as_flattened());
        assert_eq!(numbers(velocities, &code)[..3], [0.5, 0.25 * frame as f64, 0.0]);
        let reach =
            |pick: fn(f64, f64) -> f64| [0, 1, 2].map(|axis| expected.iter().map(|p| p[axis]).reduce(pick).unwrap());
        let extent = [reach(f64::min), reach(f64::max)];
        assert_eq!(numbers(block(mesh, "extent.timeSamples"), &code), extent.as_flattened());
    }
}

#[test]
fn texture_coordinates_and_materials_are_bound_to_the_polygons_that_had_them() {
    let text = stage();
    let mesh = block(&text, "def Mesh \"my_box\"");
    let values = numbers(mesh, "texCoord2f[] primvars:st");
    for (corner, at) in numbers(mesh, "int[] primvars:st:indices").iter().enumerate() {
        let at = 2 * *at as usize;
        assert_eq!(values[at..at + 2], uv(corner / 4, corner % 4));
    }
    for (name, polygons) in [("Red_paint", [0.0, 1.0, 3.0]), ("C_t_", [2.0, 4.0, 5.0])] {
        let subset = block(mesh, &format!("def GeomSubset \"{name}\""));
        assert_eq!(numbers(subset, "int[] indices"), polygons);
        let path = format!("/root/_materials/{name}");
        assert!(subset.contains(&format!("rel material:binding = <{path}>")), "{subset}");
        let material = block(&text, &format!("def Material \"{name}\""));
        assert!(material.contains(&format!("<{path}/Surface.outputs:surface>")), "{material}");
    }
    assert!(text.contains("displayName = \"Côté\""));
}

#[test]
fn what_stands_still_has_one_sample_and_wires_are_curves() {
    let text = stage();
    let floor = block(&text, "def Mesh \"floor\"");
    assert!(!floor.contains("timeSamples") && !floor.contains("velocities"), "{floor}");
    let wires = block(&text, "def BasisCurves \"floor_2\"");
    assert_eq!(numbers(wires, "point3f[] points"), [-9.0, -9.0, 0.0, 0.0, 0.0, 5.0]);
    assert_eq!(numbers(wires, "int[] curveVertexCounts"), [2.0]);
    assert!(block(&text, "def Mesh \"sheet\"").contains("doubleSided = 1"));
}
