//! Modules use only those above them, and only `run` knows of simulations: who draws something else needs nothing of it.
use std::path::{Path, PathBuf};

const ORDER: [&str; 8] = ["colour", "partial_file", "image", "quantised", "drawing", "chart", "render", "run"];

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

#[test]
fn modules_use_only_those_above_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let rank = |name: &str| ORDER.iter().position(|module| *module == name);
    let mut seen = 0;
    for file in files {
        let inside = file.strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        if module == "lib" {
            continue;
        }
        let own = rank(&module).unwrap_or_else(|| panic!("{module} has no place in the order"));
        let text = std::fs::read_to_string(&file).unwrap();
        for part in text.split("crate::").skip(1) {
            let used: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if let Some(other) = rank(&used) {
                assert!(other <= own, "{} uses {used}, which comes after {module}", inside.display());
                seen += 1;
            }
        }
        assert!(module == "run" || !text.contains("visviva::"), "{} knows of simulations", inside.display());
    }
    assert!(seen > 30, "the test reads the sources: {seen} uses");
}
