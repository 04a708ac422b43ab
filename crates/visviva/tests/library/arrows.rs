//! Modules use only those above them: in the library, and inside its two deepest folders.

use std::path::{Path, PathBuf};

/// A folder below `src`, the path that its modules are reached by, and their order.
const ORDERS: [(&str, &str, &[&str]); 3] = [
    (
        "",
        "crate::",
        &[
            "readable",
            "math",
            "mesh",
            "laws",
            "model",
            "contact",
            "solve",
            "energy",
            "integrate",
            "simulation",
            "scene",
            "run",
            "session",
            "study",
        ],
    ),
    (
        "solve",
        "crate::solve::",
        &[
            "linear",
            "contact",
            "elastic",
            "joints",
            "times",
            "evaluation",
            "dissipation",
            "driven_pins",
            "grip",
            "hindrance",
            "island",
            "stage",
            "backend",
            "assembly",
            "settings",
            "newton",
            "rigid_change",
            "contact_losses",
            "banded",
            "bodies",
            "equilibrium",
            "coming_to_rest",
            "parts",
            "islands",
            "bounces",
            "calming",
            "set_down",
        ],
    ),
    (
        "contact",
        "crate::contact::",
        &[
            "distance",
            "area_weights",
            "flat_patches",
            "surface",
            "pair",
            "barrier_pair",
            "bvh",
            "swept_gap",
            "broad_phase",
            "contact_set",
            "losses",
            "intersection",
            "containment",
            "triangle_crossings",
            "wire_crossings",
            "turning_planes",
            "ccd",
            "meetings",
        ],
    ),
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The modules of the folder that a file uses: by the folder's own path, or by `super` from as deep as it lies. Tests may look up.
fn used(text: &str, depth: usize, path: &str) -> Vec<String> {
    let code: String = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or("")
        .lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let up = "super::".repeat(depth);
    let mut found = Vec::new();
    for prefix in [path, up.as_str()].into_iter().filter(|prefix| !prefix.is_empty()) {
        for (at, _) in code.match_indices(prefix) {
            // A longer chain of supers leads elsewhere.
            if prefix.starts_with("super") && code[..at].ends_with("super::") {
                continue;
            }
            let rest = &code[at + prefix.len()..];
            let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
            match rest.strip_prefix('{') {
                Some(list) => {
                    let list = list.split(';').next().unwrap_or("");
                    found.extend(list.split([',', '{']).map(|part| name(part.trim())));
                }
                None => found.push(name(rest)),
            }
        }
    }
    found
}

#[test]
fn modules_use_only_those_above_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (folder, path, order) in ORDERS {
        let root = src.join(folder);
        let mut files = Vec::new();
        sources(&root, &mut files);
        let rank = |name: &str| order.iter().position(|module| *module == name);
        let mut seen = 0;
        for file in files {
            let inside = file.strip_prefix(&root).unwrap();
            let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
            // What only tests use has no place.
            if ["lib", "mod", "sampling"].contains(&module.as_str()) {
                continue;
            }
            let own = rank(&module).unwrap_or_else(|| panic!("{folder}/{module} has no place in the order"));
            let is_mod = inside.file_name().is_some_and(|name| name == "mod.rs");
            let depth = inside.components().count() - usize::from(is_mod);
            for other in used(&std::fs::read_to_string(&file).unwrap(), depth, path) {
                if let Some(rank) = rank(&other) {
                    assert!(rank <= own, "{folder}/{} uses {other}, which comes after {module}", inside.display());
                    seen += 1;
                }
            }
        }
        assert!(seen > 20, "the test reads the sources of {folder}: {seen} uses");
    }
}
