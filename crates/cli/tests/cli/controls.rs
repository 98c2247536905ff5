//! Names with everything in them that a terminal obeys, through every command: none of it is printed.

use crate::run::{Ran, golden, lanescope};
use std::path::Path;

/// What a terminal obeys or what turns the direction of text; line ends and tabs, which answers have of their own, and
/// NUL, which no argument can hold, stand aside.
fn obeyed() -> Vec<char> {
    let controls = ('\u{1}'..='\u{9f}').filter(|sign| sign.is_control());
    let others = [
        '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}',
    ];
    controls
        .filter(|sign| !matches!(sign, '\n' | '\t'))
        .chain(others)
        .collect()
}

fn check(what: &str, ran: &Ran) {
    for (stream, text) in [("output", &ran.out), ("error", &ran.err)] {
        let text = text.replace("\r\n", "\n");
        let found = text
            .chars()
            .find(|sign| obeyed().contains(sign) || *sign == '\0');
        assert_eq!(found, None, "{what}: standard {stream} has {:?}", text);
    }
}

/// A name of all of them, a few at a time: where one would end what stands before it, the others come again.
fn names() -> Vec<String> {
    let signs = obeyed();
    let of = |signs: &[char]| {
        format!(
            "k{}m",
            signs
                .iter()
                .map(|sign| format!("{sign}[31m"))
                .collect::<String>()
        )
    };
    signs.chunks(12).map(of).collect()
}

struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("lanescope-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn names_in_arguments_are_printed_without_what_a_terminal_obeys() {
    for name in names() {
        let with = |before: &str, after: &str| format!("{before}{name}{after}");
        let cases: [Vec<String>; 14] = [
            vec![with("", "")],
            vec!["kernel".into(), with("no/", ".cu")],
            vec!["kernel".into(), "x.cu".into(), with("--", "")],
            vec!["trace".into(), with("", ".csv")],
            vec!["layout".into(), with("", "")],
            vec![
                "fix".into(),
                with("", ".cu"),
                "--grid".into(),
                "1".into(),
                "--block".into(),
                "32".into(),
            ],
            vec!["compare".into(), with("", ".csv")],
            vec!["devices".into(), with("", "")],
            vec![
                "link".into(),
                with("a[tid] + ", ""),
                "--decl".into(),
                with("float a[32]; ", ""),
            ],
            vec!["link".into(), "--link".into(), with("#v=1&x", "=1")],
            vec![
                "expr".into(),
                with("a[tid] + ", ""),
                "--decl".into(),
                "float a[32]".into(),
            ],
            vec![
                "expr".into(),
                "a[tid]".into(),
                "--decl".into(),
                "float a[32]".into(),
                "--device".into(),
                with("cc", ""),
            ],
            vec![
                "svg".into(),
                with("a[tid] // ", ""),
                "--decl".into(),
                "__shared__ float a[32]".into(),
            ],
            vec![
                "kernel".into(),
                "-".into(),
                "--max-seconds".into(),
                with("", ""),
            ],
        ];
        for case in &cases {
            let args: Vec<&str> = case.iter().map(String::as_str).collect();
            check(&format!("{args:?}"), &lanescope(&args, b""));
        }
    }
}

#[test]
fn names_in_files_are_printed_without_what_a_terminal_obeys() {
    let folder = Folder::new("controls");
    let sass = golden("kernels/transpose_tiled.cu");
    let golden_source = std::fs::read_to_string(sass).expect("a kernel");
    for (number, name) in names().into_iter().map(|name| name + "\0").enumerate() {
        let source = format!(
            "#include \"{name}\"\n__global__ void k(float *p) {{ /* {name} */ p[threadIdx.x * 2] = \"{name}\"; q{name} = p[unknown_{name}]; }}\n"
        );
        let ptx = format!(
            ".version 8.0\n.target sm_90\n.visible .entry {name}(.param .u64 a) {{ .reg .b64 %rd<2>; // {name}\n ld.param.u64 %rd1, [a]; {name}; ret; }}\n"
        );
        let sass = format!(
            "\tFunction : {name}\n\t.headerflags\t@\"{name}\"\n        /*0000*/ LDG.E R2, desc[UR4][R2.64] ;\n        /*0010*/ {name} ;\n        /*0020*/ EXIT ;\n"
        );
        let trace = format!(
            "instruction,lane0,lane1\n{name},0,4\nld.shared.b32,{name},1\nld.shared.b32,0,4\n"
        );
        let json = format!(
            "[{{\"instruction\":\"{name}\",\"lanes\":[0]}},{{\"{name}\":1,\"lanes\":[0,4]}}]"
        );
        let layout = format!("(8,32):(32,1) {name}\n");
        let wgsl = format!("@compute @workgroup_size(32) fn main() {{ let {name} = 1; }}\n");
        let commented = format!("{golden_source}\n// {name}\n");
        let cases: [(&str, &str, &[&[&str]]); 8] = [
            (
                "k.cu",
                &source,
                &[
                    &["kernel"],
                    &["kernel", "--format", "json"],
                    &["kernel", "--format", "csv"],
                    &["kernel", "--remarks", "--l1"],
                    &["fix", "--grid", "1", "--block", "32"],
                    &["link", "--file"],
                    &["svg", "--file"],
                ],
            ),
            (
                "k.ptx",
                &ptx,
                &[
                    &["kernel"],
                    &["kernel", "--format", "json"],
                    &["kernel", "--format", "csv"],
                ],
            ),
            (
                "k.sass",
                &sass,
                &[
                    &["kernel"],
                    &["kernel", "--format", "json"],
                    &["kernel", "--format", "csv"],
                ],
            ),
            (
                "t.csv",
                &trace,
                &[
                    &["trace"],
                    &["trace", "--format", "csv"],
                    &["trace", "--format", "json"],
                    &["compare"],
                ],
            ),
            (
                "t.json",
                &json,
                &[
                    &["trace"],
                    &["trace", "--format", "csv"],
                    &["trace", "--format", "json"],
                ],
            ),
            (
                "l.txt",
                &layout,
                &[
                    &["layout"],
                    &["layout", "--format", "csv"],
                    &["layout", "--format", "code"],
                    &["layout", "--format", "svg"],
                ],
            ),
            (
                "k.wgsl",
                &wgsl,
                &[&["kernel"], &["kernel", "--format", "json"]],
            ),
            (
                "c.cu",
                &commented,
                &[
                    &[
                        "fix", "--grid", "2,2", "--block", "32,32", "--format", "diff",
                    ],
                    &[
                        "fix", "--grid", "2,2", "--block", "32,32", "--format", "json",
                    ],
                ],
            ),
        ];
        for (file, text, commands) in cases {
            let file = folder.file(&format!("{number}-{file}"), text);
            for command in commands {
                let args = [*command, &[&*file]].concat();
                check(&format!("{args:?}"), &lanescope(&args, b""));
            }
        }
    }
    assert!(Path::new(&folder.0).is_dir());
}
