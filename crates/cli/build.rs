//! With the feature `page`: puts the page that `cargo xtask build` has left in `dist/` (or in the folder that
//! `LANESCOPE_PAGE` names) into the program, each file compressed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

include!("left_out.rs");

/// The strongest of the compressor's.
const LEVEL: u8 = 10;

fn main() {
    println!("cargo::rerun-if-env-changed=LANESCOPE_PAGE");
    if env::var_os("CARGO_FEATURE_PAGE").is_none() {
        println!("cargo::rerun-if-changed=build.rs");
        println!("cargo::rerun-if-changed=left_out.rs");
        return;
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
    let folder = env::var_os("LANESCOPE_PAGE").map_or(own, PathBuf::from);
    println!("cargo::rerun-if-changed={}", folder.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    let Ok(table) = table(&folder, &out) else {
        println!(
            "cargo::error=no page in {}: `cargo xtask build` makes it",
            folder.display()
        );
        return;
    };
    fs::write(out.join("page.rs"), table).expect("the folder can be written");
}

/// The files as Rust, and beside it their bytes.
fn table(folder: &Path, out: &Path) -> std::io::Result<String> {
    let mut text =
        "/// The files of the page, compressed.\nconst FILES: &[(&str, &[u8])] = &[\n".to_owned();
    fs::metadata(folder.join("index.html"))?;
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_wanted = !LEFT_OUT.iter().any(|start| name.starts_with(start));
        if is_wanted && entry.file_type()?.is_file() {
            names.push(name);
        }
    }
    names.sort();
    for name in names {
        let bytes = fs::read(folder.join(&name))?;
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&bytes, LEVEL);
        let file = out.join(format!("{name}.zz"));
        fs::write(&file, packed)?;
        let _ = writeln!(text, "    ({name:?}, include_bytes!({file:?})),");
    }
    text.push_str("];\n");
    Ok(text)
}
