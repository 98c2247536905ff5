//! Links stay short enough for chat programs.

use lanescope_share::{Source, State, encode};

fn link(source: Source) -> String {
    let mut state = State {
        source,
        ..State::default()
    };
    state.launch.block = [32, 8, 1];
    encode(&state)
}

fn expression(accesses: &str, declarations: &str) -> Source {
    Source::Expression {
        accesses: accesses.to_owned(),
        declarations: declarations.to_owned(),
    }
}

#[test]
fn a_typical_expression_takes_under_120_characters() {
    let cases = [
        (
            "tile[threadIdx.x][threadIdx.y]",
            "__shared__ float tile[32][33]",
        ),
        ("tile[tx][ty]", "float tile[32][33]"),
        ("tile[(ty*8+k)*33+tx]", "float tile[1056]; int k = 0 .. 3"),
        ("sdata[2*s*tid]", "float sdata[256]; int s = 1, 2, 4, 8"),
        ("tile[ty][tx ^ ty]", "float4 tile[32][32]"),
    ];
    for (accesses, declarations) in cases {
        let link = link(expression(accesses, declarations));
        assert!(link.len() < 120, "{} {link}", link.len());
    }
}

#[test]
fn a_kernel_of_60_lines_takes_under_1200_characters() {
    let text = include_str!("data/kernel_60_lines.cu");
    assert_eq!(text.lines().count(), 60);
    let link = link(Source::Kernel(text.to_owned()));
    println!("{} characters for {} bytes", link.len(), text.len());
    assert!(link.len() < 1_200, "{}", link.len());
}
