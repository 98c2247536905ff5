//! With the feature `page`: puts the page that `cargo xtask build` has left in `dist/` (or in the folder that
//! `LANESCOPE_PAGE` names) into the program, its files in one archive.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

include!("archive.rs");
include!("left_out.rs");

fn main() {
    println!("cargo::rerun-if-env-changed=LANESCOPE_PAGE");
    if env::var_os("CARGO_FEATURE_PAGE").is_none() {
        println!("cargo::rerun-if-changed=build.rs");
        println!("cargo::rerun-if-changed=archive.rs");
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

/// Where each file stands in the archive, as Rust, and beside it the archive.
fn table(folder: &Path, out: &Path) -> std::io::Result<String> {
    let mut text = "/// The files of the page, and from where to where each stands in the archive once that is unpacked.\n\
        const FILES: &[(&str, usize, usize)] = &[\n"
        .to_owned();
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
    let mut files = Vec::new();
    let mut start = 0;
    for name in names {
        let bytes = fs::read(folder.join(&name))?;
        let end = start + bytes.len();
        let _ = writeln!(text, "    ({name:?}, {start}, {end}),");
        start = end;
        files.push(bytes);
    }
    let file = out.join("page.lzma");
    fs::write(&file, archive(&files)?)?;
    let _ = writeln!(
        text,
        "];\n/// The archive.\nconst ARCHIVE: &[u8] = include_bytes!({file:?});"
    );
    Ok(text)
}
