//! Pictures: what stands in them, and how large they are.

use crate::run::{lanescope, lanescope_bytes};

const COLUMN: [&str; 5] = [
    "tile[tx][ty]",
    "--decl",
    "float tile[32][32]",
    "--block",
    "32,32",
];
const BASE: &str = "https://example.org/lanescope/";
const LINK: &str =
    "https://example.org/lanescope/#v=1&c=PK&e=tile[tx][ty]&d=float%20tile[32][32]&b=32,32";

/// A warp's grid by the lines of these accesses.
fn svg(args: &[&str]) -> String {
    let ran = lanescope(&[&["svg"][..], args].concat(), b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}

#[test]
fn a_picture_needs_nothing_else_and_tells_itself() {
    let svg = svg(&[&COLUMN[..], &["--base", BASE]].concat());
    assert!(
        svg.contains("<title id=\"t\">32-way bank conflict"),
        "{svg:.400}"
    );
    assert!(svg.contains("<desc id=\"d\">") && svg.contains("role=\"img\""));
    assert!(svg.contains("@media(prefers-color-scheme:dark)"));
    let metadata = format!("<metadata>{}</metadata>", LINK.replace('&', "&amp;"));
    assert!(svg.contains(&metadata), "{svg:.1200}");
    for outside in ["href", "url(", "@import", "<script", "<image", "<use"] {
        assert!(!svg.contains(outside), "{outside}");
    }
}

#[test]
fn pictures_of_a_warp_are_under_60_kb() {
    let cases: [&[&str]; 5] = [
        &COLUMN,
        &["t[33*tid]", "--decl", "float t[2048]"],
        &["v[8*tid]", "--decl", "__shared__ float4 v[512]"],
        &["a[tid]", "--decl", "__shared__ char a[256]"],
        &["points[3*tid]", "--decl", "__device__ float4 points[4096]"],
    ];
    for args in cases {
        let bytes = svg(args).len();
        assert!(bytes < 60_000, "{args:?}: {bytes} bytes");
    }
}

#[test]
fn a_png_carries_its_link_in_both_themes() {
    for theme in ["light", "dark"] {
        let more = ["--base", BASE, "--theme", theme, "--scale", "1"];
        let args = [&["png"][..], &COLUMN, &more].concat();
        let (code, png) = lanescope_bytes(&args);
        assert_eq!(code, Some(0));
        assert_eq!(lanescope_raster::link_of(&png).as_deref(), Some(LINK));
    }
}

#[test]
fn a_card_has_the_size_of_previews_and_its_link_in_both_themes() {
    let kernel = "__global__ void f(float* a) { __shared__ float t[32][32];\n\
        t[threadIdx.x][threadIdx.y] = a[0]; }";
    let file = std::env::temp_dir().join(format!("lanescope-card-{}.cu", std::process::id()));
    std::fs::write(&file, kernel).expect("a folder for files");
    let path = file.to_str().expect("a plain name");
    for theme in ["light", "dark"] {
        for subject in [&COLUMN[..], &["--file", path, "--block", "32,32"]] {
            let more = ["--base", BASE, "--theme", theme, "--card"];
            let (code, png) = lanescope_bytes(&[&["png"][..], subject, &more].concat());
            assert_eq!(code, Some(0));
            let side =
                |at: usize| u32::from_be_bytes([png[at], png[at + 1], png[at + 2], png[at + 3]]);
            assert_eq!([side(16), side(20)], [1200, 630]);
            let link = lanescope_raster::link_of(&png).expect("its link");
            assert!(link.starts_with(BASE), "{link}");
        }
    }
    let both = [
        "png",
        "t[tx]",
        "--decl",
        "float t[32]",
        "--card",
        "--scale",
        "3",
    ];
    assert_eq!(lanescope(&both, b"").code, Some(2));
    std::fs::remove_file(&file).expect("the file");
}

#[test]
fn what_cannot_be_drawn_is_a_failure() {
    for command in ["svg", "png"] {
        let nothing = [command, "if (tid < 0) t[tid]", "--decl", "float t[32]"];
        let ran = lanescope(&nothing, b"");
        assert_eq!((ran.code, ran.out.len()), (Some(1), 0), "{command}");
        let nowhere = [
            "png",
            "t[tx]",
            "--decl",
            "float t[32]",
            "-o",
            "/no/such/folder/x.png",
        ];
        assert_eq!(lanescope(&nowhere, b"").code, Some(1));
    }
}

/// 2^64 empty blocks, which cost steps.
const EMPTY: &str = "#k=t.__global__%20void%20f(){}&g=4294967295,65535,65535";
/// A loop without end that makes no request after its first.
const ENDLESS: &str =
    "#k=t.__global__%20void%20f(float*a){a[threadIdx.x]=1;for(;;){}}&g=4294967295,65535,65535";

/// A layout that nothing touches, since its access lies outside, in as many blocks.
const UNTOUCHED: &str = "#y=t.(4,4):(4,1)%0Aload%20row%20at%20(9,9)&g=4294967295,65535,65535";

#[test]
fn pictures_of_endless_links_end() {
    for (command, link) in [("svg", EMPTY), ("png", EMPTY), ("svg", UNTOUCHED)] {
        let limits: [&[&str]; 3] = [
            &[],
            &["--max-requests", "1", "--max-seconds", "0"],
            &["--max-steps", "1000", "--max-seconds", "0"],
        ];
        for limit in limits {
            let args = [&[command, "--link", link][..], limit].concat();
            let ran = lanescope(&args, b"");
            assert_eq!(ran.code, Some(1), "{args:?}: {}", ran.err);
            assert!(ran.err.contains("error: "), "{args:?}: {}", ran.err);
        }
    }
}

#[test]
fn a_picture_that_a_limit_cut_says_so() {
    let whole: [&[&str]; 3] = [
        &["--max-seconds", "0.5"],
        &["--max-steps", "100000", "--max-seconds", "0"],
        &["--max-requests", "100", "--max-seconds", "0"],
    ];
    for limit in whole {
        let args = [&["svg", "--link", ENDLESS][..], limit].concat();
        let ran = lanescope(&args, b"");
        assert_eq!(ran.code, Some(3), "{args:?}: {}", ran.err);
        assert!(ran.out.starts_with("<svg "), "{args:?}");
        assert!(ran.err.contains("not fully counted"), "{}", ran.err);
        assert!(ran.err.contains("until a limit was reached"), "{}", ran.err);
    }
}

#[test]
fn limits_that_are_none_are_bad_usage() {
    for limit in ["-1", "x", "1e300", "NaN"] {
        let option = format!("--max-seconds={limit}");
        let ran = lanescope(&["svg", "t[tid]", &option], b"");
        assert_eq!(ran.code, Some(2), "{limit}: {}", ran.err);
    }
}
