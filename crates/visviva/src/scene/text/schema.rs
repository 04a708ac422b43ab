//! The JSON schema of scene files, for editors: what the types say, and beyond it names, ranges, and what is given once only.

use crate::integrate::METHODS;
use crate::laws::solid::SOLIDS;
use crate::scene::settings::ORTHOGONALITY;
use crate::scene::{ObstacleShape, Scene, Shape};
use serde_json::{Map, Value, json};

/// Numbers, or those of a list.
#[derive(Clone, Copy)]
enum Bound {
    Positive,
    NotNegative,
    /// From 0 to 1
    Fraction,
    AtLeast(u32),
}

/// Of which table, which keys.
const BOUNDS: [(&str, Bound, &[&str]); 27] = [
    ("Run", Bound::Positive, &["frame_rate", "keep_checkpoints"]),
    ("AdaptiveSteps", Bound::Positive, &["tolerance"]),
    ("Energy", Bound::Positive, &["tau", "half_life", "start_scale"]),
    ("Solver", Bound::Positive, &["tolerance", "gap_tolerance", "linear_tolerance"]),
    ("Solver", Bound::AtLeast(1), &["max_iterations"]),
    ("Contact", Bound::Positive, &["reach", "stiffness", "friction_speed"]),
    ("Contact", Bound::NotNegative, &["friction"]),
    ("Contact", Bound::Fraction, &["restitution"]),
    ("PairCoefficient", Bound::NotNegative, &["coefficient"]),
    ("Material", Bound::Positive, &["youngs_modulus", "density", "thickness", "areal_density"]),
    ("Material", Bound::NotNegative, &["bending_modulus", "damping_mass", "damping_stiffness", "friction"]),
    ("Material", Bound::Fraction, &["restitution"]),
    ("Body", Bound::Positive, &["mass", "height", "cell"]),
    ("Body", Bound::AtLeast(1), &["cells"]),
    ("Body", Bound::NotNegative, &["contact_thickness"]),
    ("Obstacle", Bound::NotNegative, &["friction", "contact_thickness"]),
    ("Obstacle", Bound::Positive, &["height"]),
    ("Obstacle", Bound::Fraction, &["restitution"]),
    ("BoxShape", Bound::Positive, &["size"]),
    ("BoxShape", Bound::AtLeast(1), &["cells"]),
    ("BallShape", Bound::Positive, &["radius"]),
    ("BallShape", Bound::AtLeast(1), &["shells", "cells", "layers"]),
    ("EllipsoidShape", Bound::Positive, &["radii"]),
    ("EllipsoidShape", Bound::AtLeast(1), &["shells"]),
    ("Sphere", Bound::Positive, &["radius"]),
    ("Pin", Bound::Positive, &["tolerance"]),
    ("Motor", Bound::Positive, &["max_torque", "max_force"]),
];
const SHAPE_BOUNDS: [(&str, Bound, &[&str]); 22] = [
    ("Array", Bound::AtLeast(1), &["counts"]),
    ("Array", Bound::NotNegative, &["jitter"]),
    ("CylinderShape", Bound::Positive, &["radius", "height"]),
    ("CylinderShape", Bound::AtLeast(1), &["rings", "layers"]),
    ("TorusShape", Bound::Positive, &["major_radius", "minor_radius"]),
    ("TorusShape", Bound::AtLeast(1), &["rings", "around"]),
    ("IcosphereShape", Bound::Positive, &["radius"]),
    ("DiscShape", Bound::Positive, &["radius"]),
    ("DiscShape", Bound::AtLeast(1), &["rings"]),
    ("RectangleShape", Bound::Positive, &["size"]),
    ("RectangleShape", Bound::AtLeast(1), &["cells"]),
    ("TubeShape", Bound::Positive, &["radius", "length"]),
    ("TubeShape", Bound::AtLeast(1), &["cells"]),
    ("ChainNetShape", Bound::Positive, &["major_radius", "minor_radius"]),
    ("ChainNetShape", Bound::AtLeast(1), &["rings", "segments"]),
    ("PlaneShape", Bound::Positive, &["size"]),
    ("SphereShape", Bound::Positive, &["radius"]),
    ("CapsuleShape", Bound::Positive, &["radius", "length"]),
    ("CapsuleShape", Bound::AtLeast(3), &["segments"]),
    ("CylinderSize", Bound::Positive, &["radius", "height"]),
    ("CylinderSize", Bound::AtLeast(3), &["segments"]),
    ("OpenBoxShape", Bound::Positive, &["size", "thickness"]),
];

/// The schema as text.
pub fn json_schema() -> String {
    let mut schema = serde_json::to_value(schemars::schema_for!(Scene)).expect("a schema is plain JSON");
    if let Some(tables) = schema["$defs"].as_object_mut() {
        for (table, bound, keys) in BOUNDS.iter().chain(&SHAPE_BOUNDS) {
            keys.iter().for_each(|key| bound.put(&mut tables[*table]["properties"][*key]));
        }
        let laws: Vec<&str> = SOLIDS.iter().map(|solid| solid.name).chain([ORTHOGONALITY]).collect();
        extend(&mut tables["Material"]["properties"]["law"], json!({ "enum": laws }));
        let ratio = json!({ "exclusiveMinimum": -1, "exclusiveMaximum": 0.5 });
        extend(&mut tables["Material"]["properties"]["poisson_ratio"], ratio);
        for table in ["Run", "ChangeEntry"] {
            extend(&mut tables[table]["properties"]["integrator"], integrators());
        }
        let stand_in = json!({ "required": ["file", "file_optional"] });
        extend(&mut tables["Body"], json!({ "anyOf": [one_of(&Shape::KEYS), stand_in] }));
        let lattices = json!([{ "required": ["shells"] }, { "required": ["cells", "layers"] }]);
        extend(&mut tables["BallShape"], json!({ "oneOf": lattices }));
        extend(&mut tables["Obstacle"], one_of(&ObstacleShape::KEYS));
        extend(&mut tables["Pin"], one_of(&super::pin_table::KEYS));
        extend(&mut tables["Joint"], one_of(&super::joint_table::KEYS));
        extend(&mut tables["ChangeEntry"], one_of(&["energy", "gravity", "integrator", "grab", "release"]));
    }
    serde_json::to_string_pretty(&schema).expect("a schema is plain JSON")
}

impl Bound {
    fn put(self, property: &mut Value) {
        let numbers = if property["items"].is_object() { &mut property["items"] } else { property };
        extend(
            numbers,
            match self {
                Self::Positive => json!({ "exclusiveMinimum": 0 }),
                Self::NotNegative => json!({ "minimum": 0 }),
                Self::Fraction => json!({ "minimum": 0, "maximum": 1 }),
                Self::AtLeast(least) => json!({ "minimum": least }),
            },
        );
    }
}

/// A name, or a name with parameters.
fn integrators() -> Value {
    let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
    let with_parameters = format!("^({}):.+=.+$", names.join("|"));
    json!({ "anyOf": [{ "enum": names }, { "pattern": with_parameters }] })
}

fn one_of(keys: &[&str]) -> Value {
    json!({ "oneOf": keys.iter().map(|key| json!({ "required": [key] })).collect::<Vec<_>>() })
}

fn extend(schema: &mut Value, more: Value) {
    if let (Some(schema), Value::Object(more)) = (schema.as_object_mut(), more) {
        schema.extend::<Map<String, Value>>(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Value {
        serde_json::from_str(&json_schema()).unwrap()
    }

    #[test]
    fn every_key_is_described() {
        let schema = schema();
        let tables = schema["$defs"].as_object().unwrap();
        for (name, table) in tables.iter().map(|(name, table)| (name.as_str(), table)).chain([("Scene", &schema)]) {
            for (key, property) in table["properties"].as_object().into_iter().flatten() {
                assert!(property["description"].is_string(), "{name}.{key}");
            }
        }
    }

    #[test]
    fn names_ranges_and_exactly_one_shape_are_in_the_schema() {
        let tables = &schema()["$defs"];
        let law = &tables["Material"]["properties"]["law"]["enum"];
        assert!(law.as_array().unwrap().contains(&json!("stvk")), "{law}");
        let integrator = &tables["Run"]["properties"]["integrator"]["anyOf"];
        assert!(integrator[0]["enum"].as_array().unwrap().contains(&json!("a-search")), "{integrator}");
        assert_eq!(tables["BoxShape"]["properties"]["cells"]["items"]["minimum"], json!(1));
        assert_eq!(tables["Material"]["properties"]["density"]["exclusiveMinimum"], json!(0));
        assert_eq!(tables["Body"]["anyOf"][0]["oneOf"].as_array().unwrap().len(), Shape::KEYS.len());
    }

    #[test]
    fn every_bound_belongs_to_a_key_that_exists() {
        let tables = &schema()["$defs"];
        for (table, _, keys) in BOUNDS.iter().chain(&SHAPE_BOUNDS) {
            keys.iter().for_each(|key| {
                assert!(tables[*table]["properties"][*key]["description"].is_string(), "{table}.{key}")
            });
        }
    }
}
