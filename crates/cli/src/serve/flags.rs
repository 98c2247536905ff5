//! The flags that a page may give the compiler: those that choose what code it makes, and none that names a file, a
//! program or a folder.

use anyhow::bail;

/// Flags that stand alone.
const ALONE: [&str; 22] = [
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-G",
    "--device-debug",
    "-lineinfo",
    "--generate-line-info",
    "-restrict",
    "--restrict",
    "-use_fast_math",
    "--use_fast_math",
    "-expt-relaxed-constexpr",
    "--expt-relaxed-constexpr",
    "-expt-extended-lambda",
    "--expt-extended-lambda",
    "-extended-lambda",
    "--extended-lambda",
    "-w",
    "--disable-warnings",
    "-extra-device-vectorization",
    "--extra-device-vectorization",
];

/// Flags whose value follows `=`, and what that may be.
const VALUED: [(&str, &[&str]); 9] = [
    ("std", &["c++11", "c++14", "c++17", "c++20", "c++23"]),
    ("ftz", &["true", "false"]),
    ("prec-div", &["true", "false"]),
    ("prec-sqrt", &["true", "false"]),
    ("fmad", &["true", "false"]),
    ("default-stream", &["legacy", "null", "per-thread"]),
    ("Xptxas", PTXAS),
    ("ptxas-options", PTXAS),
    ("optimize", &["0", "1", "2", "3"]),
];

/// Flags of the assembler.
const PTXAS: &[&str] = &[
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-dlcm=ca",
    "-dlcm=cg",
    "-dlcm=cs",
    "-dlcm=cv",
    "-dscm=wb",
    "-dscm=cg",
    "-dscm=cs",
    "-dscm=wt",
    "--allow-expensive-optimizations=true",
    "--allow-expensive-optimizations=false",
    "--disable-optimizer-constants",
];

/// The most flags at a time.
const MOST_FLAGS: usize = 64;

/// The flags in a text, as the compiler takes them.
///
/// # Errors
/// Names the first that a page may not give.
pub(super) fn allowed(text: &str) -> anyhow::Result<Vec<String>> {
    let mut flags = Vec::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let flag = match word {
            // These take their value as a word of its own, too.
            "-Xptxas" | "--ptxas-options" | "-D" | "-U" | "-maxrregcount" | "--maxrregcount"
            | "-std" => {
                let value = words.next().unwrap_or_default();
                let equals = if matches!(word, "-D" | "-U") { "" } else { "=" };
                format!("{word}{equals}{value}")
            }
            word => word.to_owned(),
        };
        if !is_allowed(&flag) {
            bail!("`{flag}` is no flag that a page may give the compiler");
        }
        flags.push(flag);
    }
    if flags.len() > MOST_FLAGS {
        bail!("a page may give at most {MOST_FLAGS} flags");
    }
    Ok(flags)
}

fn is_allowed(flag: &str) -> bool {
    if ALONE.contains(&flag) {
        return true;
    }
    if let Some(definition) = flag.strip_prefix("-D") {
        let (name, value) = definition.split_once('=').unwrap_or((definition, ""));
        return is_definition(name, value);
    }
    if let Some(name) = flag.strip_prefix("-U") {
        return is_name(name);
    }
    let Some((name, value)) = flag.trim_start_matches('-').split_once('=') else {
        return false;
    };
    if !flag.starts_with('-') || flag.starts_with("---") {
        return false;
    }
    if name == "maxrregcount" {
        return value.parse::<u8>().is_ok();
    }
    let known = VALUED.iter().find(|(known, _)| *known == name);
    known.is_some_and(|(_, values)| values.contains(&value))
}

/// Whether a macro may be defined so: the compiler hands it through a shell.
pub(super) fn is_definition(name: &str, value: &str) -> bool {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_.+-:".contains(sign);
    is_name(name) && value.chars().all(is_plain)
}

fn is_name(name: &str) -> bool {
    let mut signs = name.chars();
    let begins = signs
        .next()
        .is_some_and(|one| one.is_ascii_alphabetic() || one == '_');
    begins && signs.all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn flags_that_choose_code_pass() {
        let text = "-O3 -std=c++17 --use_fast_math -DTILE=32 -D N=1.5f -Xptxas -dlcm=ca -maxrregcount 64 -UX";
        let flags = allowed(text).expect("flags");
        assert_eq!(
            flags,
            [
                "-O3",
                "-std=c++17",
                "--use_fast_math",
                "-DTILE=32",
                "-DN=1.5f",
                "-Xptxas=-dlcm=ca",
                "-maxrregcount=64",
                "-UX"
            ]
        );
    }

    #[test]
    fn flags_that_name_files_programs_or_folders_do_not() {
        for text in [
            "-I/etc",
            "-I /etc",
            "-isystem /etc",
            "-include /etc/passwd",
            "--compiler-bindir /tmp",
            "-ccbin=/tmp/x",
            "-o /tmp/x",
            "--output-directory=/tmp",
            "-odir /tmp",
            "-Xcompiler -fplugin=/tmp/x.so",
            "-Xcompiler=-B/tmp",
            "--options-file /etc/passwd",
            "-optf=/etc/passwd",
            "@/etc/passwd",
            "/etc/passwd",
            "x.cu",
            "-Xptxas -o/tmp/x",
            "-Xptxas=--options-file=/etc/passwd",
            "-Xptxas",
            "--keep",
            "-keep-dir=/tmp",
            "-D'X=$(id)'",
            "-DX=`id`",
            "-DX=\"y\"",
            "-DX=$(id)",
            "-DX;id",
            "-D",
            "-DX=a,b",
            "-maxrregcount=$(id)",
            "-MD",
            "-MF /tmp/x",
            "-run",
            "-lib",
            "--dryrun",
            "-time /tmp/x",
            "-std=c++17;id",
            "--std",
            "-Xlinker -x",
            "-Xcicc -x",
            "---std=c++17",
            "std=c++17",
            "-l/etc/passwd",
            "-L/etc",
            "-ewp",
            "-arch=sm_90",
            "-x c",
            "-E",
            "--diag-suppress=1",
        ] {
            assert!(allowed(text).is_err(), "{text}");
        }
    }
}
