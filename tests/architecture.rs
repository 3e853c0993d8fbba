//! The source keeps to its own plan: who may import whom, where `unsafe` may be, how long a file may get.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the ground up. A module may import from its own layer and from those below it.
const LAYERS: [&[&str]; 9] = [
    &["error", "options", "schema", "order"],
    &["column"],
    &["bloom", "encoding", "hash", "histogram", "level", "simd", "sorting", "statistics", "thrift"],
    &["codec", "sink"],
    &["page", "page_index"],
    &["chunk"],
    &["footer"],
    &["file"],
    &["wasm"],
];

/// These sit above the words and beside everything else: they import words only.
const WORDS_ONLY: [&str; 2] = ["codec", "sink"];

const UNSAFE_ALLOWED: [&str; 2] = ["simd", "wasm"];

const MOST_LINES: usize = 600;

fn files(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extensions, found);
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|&known| extension == known)) {
            found.push(path);
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files of `src/` with the name of their module: the first folder or file below `src/`.
fn rust_files() -> Vec<(String, PathBuf, String)> {
    let source = root().join("src");
    let mut found = Vec::new();
    files(&source, &["rs"], &mut found);
    found.sort();
    let named = found.into_iter().map(|path| {
        let below = path.strip_prefix(&source).unwrap();
        let first = below.components().next().unwrap().as_os_str().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        (first.trim_end_matches(".rs").to_string(), path.clone(), text)
    });
    named.collect()
}

/// Source without comments, strings kept. Tests of a module may import what they like.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Modules of this crate that `text` names behind `crate::`, also inside braces.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(inside) => top_level_items(inside),
            None => vec![rest],
        };
        let word = |name: &str| name.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        found.extend(names.into_iter().map(word));
    }
    found
}

/// What commas separate, up to the brace that closes.
fn top_level_items(inside: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, character) in inside.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&inside[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items
}

fn is_test(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.ends_with("testing.rs")
}

#[test]
fn imports_point_down() {
    let layer: BTreeMap<&str, usize> = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(layer, modules)| modules.iter().map(move |module| (*module, layer)))
        .collect();
    let mut wrong = Vec::new();
    for (module, path, text) in rust_files() {
        if module == "lib" || is_test(&path) {
            continue;
        }
        let Some(&own) = layer.get(module.as_str()) else {
            wrong.push(format!("{module} has no place in the layers ({})", path.display()));
            continue;
        };
        for import in imports(&code(&text)) {
            let allowed = match layer.get(import.as_str()) {
                _ if import == module => true,
                Some(&other) if WORDS_ONLY.contains(&module.as_str()) => other == 0,
                Some(&other) => other <= own,
                // What is not a module comes from lib.rs, which is above all.
                None => false,
            };
            if !allowed {
                wrong.push(format!("{} imports {import}", path.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn imports_are_found_in_every_form() {
    let text = "use crate::error::Error;\nuse crate::{column::{Dense, bit}, file};\nfn f(x: crate::sink::S) {}";
    assert_eq!(imports(text), ["error", "column", "file", "sink"]);
}

#[test]
fn the_crate_names_its_modules_in_layer_order() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let declared: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("mod ").or_else(|| line.strip_prefix("pub mod "))?.strip_suffix(';'))
        .filter(|module| *module != "testing")
        .collect();
    let place = |module: &&str| LAYERS.iter().position(|modules| modules.contains(module)).expect("a known module");
    assert!(declared.is_sorted_by_key(place), "{declared:?}");
    let modules: Vec<String> = rust_files().into_iter().map(|(module, ..)| module).collect();
    assert!(declared.iter().all(|module| modules.iter().any(|other| other == module)));
}

#[test]
fn unsafe_is_fenced_off() {
    for (module, path, text) in rust_files() {
        let word = |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe");
        let found = code(&text).lines().any(word);
        assert!(!found || UNSAFE_ALLOWED.contains(&module.as_str()), "unsafe in {}", path.display());
    }
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    assert!(lib.contains("#![deny(unsafe_code)]"));
}

#[test]
fn no_module_of_the_core_may_panic_by_accident() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let lints = ["clippy::unwrap_used", "clippy::expect_used", "clippy::panic", "clippy::indexing_slicing"];
    assert!(lib.contains(&format!("#![deny({})]", lints.join(", "))));
    for (_, path, text) in rust_files().into_iter().filter(|(_, path, _)| !is_test(path)) {
        let allowed = code(&text).lines().any(|line| {
            line.trim_start().starts_with("#[allow")
                && lints.iter().any(|lint| line.contains(lint))
                && !line.contains("tests may panic")
        });
        assert!(!allowed, "{}: `expect` with a reason, not `allow`", path.display());
    }
}

#[test]
fn wasm_bindgen_stays_at_the_boundary() {
    for (module, path, text) in rust_files() {
        let names = ["wasm_bindgen", "js_sys"];
        let found = names.iter().any(|name| code(&text).contains(&format!("{name}::")));
        assert!(!found || module == "wasm", "{} knows wasm-bindgen", path.display());
    }
}

#[test]
fn one_file_of_javascript_starts_the_module() {
    let mut found = Vec::new();
    files(&root().join("src/js"), &["ts"], &mut found);
    assert!(!found.is_empty());
    for path in found.into_iter().filter(|path| !path.ends_with("module.ts")) {
        let text = fs::read_to_string(&path).unwrap();
        // Types cost nothing; values would load the glue twice.
        let values = code(&text).lines().any(|line| line.contains("'#wasm'") && !line.starts_with("import type"));
        assert!(!values, "{} imports the module itself", path.display());
    }
}

#[test]
fn files_stay_short() {
    let mut found = Vec::new();
    for folder in ["src", "tests/common", "tests/hard_cases"] {
        files(&root().join(folder), &["rs", "ts"], &mut found);
    }
    found.extend(
        fs::read_dir(root().join("tests")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()),
    );
    for path in found {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
    }
}
