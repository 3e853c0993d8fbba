//! Whether every case of `cases.txt` has its test, and every test its case.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with what others wrote, or what a test made.
const SKIPPED: [&str; 3] = ["target", "node_modules", "scratch"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() && !SKIPPED.iter().any(|name| path.ends_with(name)) => files(&path, found),
            Some("rs" | "mjs") => found.push(path),
            _ => {}
        }
    }
}

/// Numbers that follow `before`.
fn numbers(text: &str, before: &str) -> Vec<u32> {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    text.split(before).skip(1).filter_map(|rest| digits(rest).parse().ok()).collect()
}

/// Cases in the names of a file's tests.
fn named(path: &Path, text: &str) -> Vec<u32> {
    if path.extension().is_some_and(|extension| extension == "rs") {
        return numbers(text, "\nfn hc_");
    }
    // A title ends with its line: it may hold commas, and tests may stand in loops.
    let lines = text.lines().map(str::trim_start).filter(|line| line.starts_with("test("));
    lines.flat_map(|line| numbers(line, "HC-")).collect()
}

#[test]
fn every_case_has_a_test_of_its_name() {
    let list = include_str!("cases.txt").lines().skip(1);
    let areas = list.map(|line| line.split_once(' ').unwrap());
    let cases: Vec<(&str, u32)> =
        areas.flat_map(|(area, ids)| ids.split(' ').map(move |id| (area, id.parse().unwrap()))).collect();
    assert!(cases.len() > 80);
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &mut found);
    let tests: BTreeSet<u32> = found.iter().flat_map(|path| named(path, &fs::read_to_string(path).unwrap())).collect();
    let missing: Vec<_> = cases.iter().filter(|(_, id)| !tests.contains(id)).collect();
    assert!(missing.is_empty(), "no test is named for {missing:?}");
    // Of the areas in the list, none has a test without a line there.
    let core: Vec<u32> = found
        .iter()
        .filter(|path| path.parent().is_some_and(|folder| folder.ends_with("hard_cases")))
        .flat_map(|path| named(path, &fs::read_to_string(path).unwrap()))
        .collect();
    let unknown: Vec<_> = core.iter().filter(|id| cases.iter().all(|(_, known)| known != *id)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are not in the list");
}
