//! The parameters of a scene that a page offers to change, in the schema's words.

use crate::error::AskError;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use visviva::scene::{Scene, json_schema};

/// Of every scene.
const OF_SCENES: [&str; 8] = [
    "run.h",
    "run.duration",
    "run.integrator",
    "run.frame_rate",
    "run.contacts",
    "energy.target",
    "energy.tau",
    "gravity",
];
/// Where they are given already.
const OF_BODIES: [&str; 5] =
    ["material.youngs_modulus", "material.density", "material.friction", "height", "velocity.linear"];
/// Bodies whose parameters are offered: a page is no table.
const BODIES: usize = 8;

/// Each as `{path, value, words, choices}`; the last is empty where anything may be written.
pub fn main_parameters(scene: &Scene) -> Result<Vec<Value>, AskError> {
    let schema: Value = serde_json::from_str(&json_schema()).unwrap_or_default();
    let table = serde_json::to_value(scene).unwrap_or_default();
    let of_scene = OF_SCENES.iter().map(|path| ((*path).to_owned(), at(&table, path).unwrap_or_default()));
    let of_body = |body: usize| OF_BODIES.map(|key| format!("body.{body}.{key}"));
    let of_bodies = (0..scene.bodies.len().min(BODIES)).flat_map(of_body);
    let of_bodies =
        of_bodies.filter_map(|path| at(&table, &path).filter(|value| !value.is_null()).map(|value| (path, value)));
    let told = |(path, value): (String, Value)| {
        let (words, choices) = (words_for(&schema, &path), choices_for(&schema, &path));
        json!({ "path": path, "value": value, "words": words, "choices": choices })
    };
    Ok(of_scene.chain(of_bodies).map(told).collect())
}

/// What is set, as `path=value`. Only what was offered can be.
pub fn assignments(offer: &[Value], set: &BTreeMap<String, Value>) -> Result<Vec<String>, AskError> {
    let one = |(path, value): (&String, &Value)| {
        if !offer.iter().any(|offered| offered["path"] == **path) {
            let allowed = "this is none of the parameters that can be set from here; edit the scene's file".to_owned();
            return Err(AskError::Value { what: path.clone(), allowed });
        }
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Ok(format!("{path}={text}"))
    };
    set.iter().map(one).collect()
}

fn at(table: &Value, path: &str) -> Option<Value> {
    let step = |value: &Value, key: &str| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?).cloned(),
        value => value.get(key).cloned(),
    };
    path.split('.').try_fold(table.clone(), |value, key| step(&value, key))
}

/// The description of a key, found through references and alternatives.
fn words_for(schema: &Value, path: &str) -> String {
    let mut here = schema;
    let mut words = "";
    for key in path.split('.') {
        let Some(next) = member(schema, here, key, 8) else { return String::new() };
        here = next;
        words = here["description"].as_str().unwrap_or(words);
    }
    words.to_owned()
}

/// The values that the schema names for a key, as a scene's file has them.
fn choices_for(schema: &Value, path: &str) -> Vec<String> {
    let step = |here, key| member(schema, here, key, 8);
    path.split('.').try_fold(schema, step).map_or_else(Vec::new, |here| named_values(schema, here, 8))
}

fn named_values(schema: &Value, here: &Value, depth: usize) -> Vec<String> {
    if depth == 0 {
        return Vec::new();
    }
    if here["type"] == "boolean" {
        return vec!["true".to_owned(), "false".to_owned()];
    }
    let target = here["$ref"].as_str().and_then(|name| schema.pointer(name.trim_start_matches('#')));
    let own = here["enum"].as_array().into_iter().flatten().chain(here.get("const"));
    let own = own.filter_map(Value::as_str).map(str::to_owned);
    let others = alternatives(here).chain(target).flat_map(|one| named_values(schema, one, depth - 1));
    own.chain(others).collect()
}

fn alternatives(here: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|word| here[word].as_array()).flatten()
}

fn member<'a>(schema: &'a Value, here: &'a Value, key: &str, depth: usize) -> Option<&'a Value> {
    if depth == 0 {
        return None;
    }
    if let Some(found) = here["properties"].get(key) {
        return Some(found);
    }
    if key.parse::<usize>().is_ok() && here.get("items").is_some() {
        return here.get("items");
    }
    if let Some(name) = here["$ref"].as_str() {
        let target = schema.pointer(name.trim_start_matches('#'))?;
        return member(schema, target, key, depth - 1);
    }
    alternatives(here).find_map(|one| member(schema, one, key, depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let text = "title = \"t\"\nrun = { h = \"1/60\", duration = 1 }\n\
                    [[body]]\nname = \"ball\"\nball = { radius = 0.1, shells = 2 }\nmaterial = { youngs_modulus = 1e5 }\n";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn parameters_have_values_and_the_words_of_the_schema() {
        let offer = main_parameters(&scene()).unwrap();
        let of =
            |path: &str| offer.iter().find(|one| one["path"] == path).unwrap_or_else(|| panic!("{path}: {offer:?}"));
        assert_eq!(of("run.h")["value"], "1/60");
        assert!(of("run.h")["words"].as_str().unwrap().contains("Time step"));
        assert_eq!(of("body.0.material.youngs_modulus")["value"], 1e5);
        for one in &offer {
            assert!(!one["words"].as_str().unwrap().is_empty(), "{one}");
        }
    }

    #[test]
    fn what_the_schema_lists_is_a_choice() {
        let offer = main_parameters(&scene()).unwrap();
        let of = |path: &str| offer.iter().find(|one| one["path"] == path).unwrap()["choices"].clone();
        let methods = of("run.integrator");
        let methods: Vec<_> = methods.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(methods.contains(&"a-search") && methods.contains(&"bdf2"), "{methods:?}");
        assert!(of("energy.target").as_array().unwrap().contains(&json!("decay")));
        assert_eq!(of("run.contacts"), json!(["true", "false"]));
        assert_eq!(of("run.h"), json!([]));
        assert_eq!(of("body.0.material.youngs_modulus"), json!([]));
    }

    #[test]
    fn only_what_was_offered_can_be_set() {
        let offer = main_parameters(&scene()).unwrap();
        let set = |path: &str, value: Value| assignments(&offer, &BTreeMap::from([(path.to_owned(), value)]));
        assert_eq!(set("run.h", json!("1/120")).unwrap(), ["run.h=1/120"]);
        assert_eq!(set("gravity", json!([0, 0, -1])).unwrap(), ["gravity=[0,0,-1]"]);
        for path in ["body.0.file", "energy.curve_file", "run", "obstacle.0.file", "../x", ""] {
            assert!(set(path, json!("/etc/passwd")).is_err(), "{path}");
        }
    }
}
