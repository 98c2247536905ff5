use crate::run::{golden, lanescope};

#[test]
fn an_expression_has_the_documented_link() {
    let ran = lanescope(
        &[
            "link",
            "tile[tx][ty]",
            "--decl",
            "float tile[32][33]",
            "--block",
            "32,32",
        ],
        b"",
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(
        ran.out,
        "#v=1&c=qr&e=tile[tx][ty]&d=float%20tile[32][33]&b=32,32\n"
    );
}

#[test]
fn a_link_of_a_link_is_its_canonical_form() {
    let hand = "https://example.org/?v=1#e=tile[tx][ty]&d=float tile[32][33]&b=32,32";
    let ran = lanescope(
        &["link", "--link", hand, "--base", "https://example.org/"],
        b"",
    );
    let expected = "https://example.org/#v=1&c=qr&e=tile[tx][ty]&d=float%20tile[32][33]&b=32,32\n";
    assert_eq!((ran.out.as_str(), ran.code), (expected, Some(0)));
}

#[test]
fn a_kernel_keeps_its_launch() {
    let file = golden("kernels/transpose_tiled.cu");
    let file = file.to_str().expect("a path");
    let args = [
        "--grid",
        "32,32",
        "--block",
        "32,32",
        "--arg",
        "nx=1024",
        "--arg",
        "in=f32[1024],iota",
        "-D",
        "N=3",
    ];
    let ran = lanescope(&[&["link", "--file", file][..], &args].concat(), b"");
    assert_eq!(ran.code, Some(0));
    let opened = lanescope_share::decode(ran.out.trim_end()).expect("it opens");
    let launch = &opened.state.launch;
    assert_eq!((launch.grid, launch.block), ([32, 32, 1], [32, 32, 1]));
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        launch.arguments,
        [pair("nx", "1024"), pair("in", "f32[1024],iota")]
    );
    assert_eq!(launch.defines, [pair("N", "3")]);
    assert!(
        matches!(&opened.state.source, lanescope_share::Source::Kernel(text) if text.contains("__global__"))
    );
}

#[test]
fn a_device_of_ones_own_travels() {
    let ran = lanescope(
        &["link", "t[tx]", "--device", "custom:4,32,4,one,32,128"],
        b"",
    );
    assert!(
        ran.out.ends_with("&gpu=custom:4,32,4,one,32,128\n"),
        "{}",
        ran.out
    );
}

#[test]
fn damaged_links_are_failures_and_bad_arguments_bad_usage() {
    let damaged = lanescope(&["link", "--link", "#v=1&c=qr&k=z.AAAA"], b"");
    assert_eq!(damaged.code, Some(1));
    assert!(damaged.err.contains("cut off"), "{}", damaged.err);
    let doubled: [&[&str]; 4] = [
        &["link", "a", "--link", "#"],
        &["link", "a", "--file", "x.cu"],
        &["link", "a", "--block", "0"],
        &["link", "a", "--arg", "n=abc"],
    ];
    for args in doubled {
        assert_eq!(lanescope(args, b"").code, Some(2), "{args:?}");
    }
}
