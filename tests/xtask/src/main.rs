//! wasm-bindgen and its test runner as a library, so that nothing has to be installed.

use std::{env, ffi::OsString, process::exit};

fn main() -> anyhow::Result<()> {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    match args.first().and_then(|name| name.to_str()) {
        // The first argument stands where a program finds its own name.
        Some("bindgen") => wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(args),
        Some("test-runner") => wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(args),
        _ => {
            eprintln!("usage: cargo xtask bindgen|test-runner <arguments>");
            exit(2)
        }
    }
}
