//! Does what the command `wasm-bindgen --target web` does, in exactly the version that `Cargo.lock` names, so
//! that nothing has to be installed: `simdtext-js-bindgen IN.wasm OUT-FOLDER NAME`.

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, name] = arguments.as_slice() else {
        bail!("usage: simdtext-js-bindgen IN.wasm OUT-FOLDER NAME");
    };
    Bindgen::new()
        .input_path(input)
        .out_name(name)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .generate(folder)
        .with_context(|| format!("{input}: can't generate JavaScript for it"))
}
