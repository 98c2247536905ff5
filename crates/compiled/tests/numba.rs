//! Kernels that Numba compiled: what a launch passes for the parameters that nobody wrote.

use lanescope_compiled::{LaunchOptions, NamedArgument, read, select};
use lanescope_frontend::{ArgumentValue, NamedLaunch};
use lanescope_simt::ParameterValue;

/// `f(a)` with `a` of two axes: every thread along x reads an element of the first column by its stride.
fn text(layout: char) -> (String, String) {
    let name = format!("_ZN8__main__1fB2v1B8cw51cXTLE5ArrayIfLi2E1{layout}7mutable7alignedE");
    let parameters: Vec<String> = (0..9)
        .map(|at| format!(".param .u64 {name}_param_{at}"))
        .collect();
    let head = format!(".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry {name}(\n");
    let body = format!(
        "{}\n)\n{{\n.reg .b32 %r<2>;\n.reg .b64 %rd<6>;\nld.param.u64 %rd1, [{name}_param_4];\n\
         ld.param.u64 %rd2, [{name}_param_7];\nmov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd3, %r1;\n\
         mul.lo.s64 %rd4, %rd3, %rd2;\nadd.s64 %rd5, %rd4, %rd1;\nst.u32 [%rd5], %r1;\nret;\n}}\n",
        parameters.join(",\n")
    );
    (head + &body, name)
}

/// The values of the parameters that a launch of 3 × 5 elements passes on the page.
fn on_the_page(layout: char) -> Vec<ParameterValue> {
    let (text, name) = text(layout);
    let program = read(&text, None).expect("PTX").program;
    let given = |at: u32| format!("{name}_param_{at}");
    let launch = NamedLaunch::new([1; 3], [32, 1, 1])
        .with(&given(5), ArgumentValue::Integer(3))
        .with(&given(6), ArgumentValue::Integer(5));
    program.simt_launch(&launch).expect("a kernel").parameters
}

fn word(value: i64) -> ParameterValue {
    ParameterValue::Bytes(value.to_le_bytes().to_vec())
}

fn is_pointer(value: &ParameterValue) -> bool {
    matches!(value, ParameterValue::Buffer { .. })
}

#[test]
fn what_numba_passes_follows_from_the_shape() {
    let values = on_the_page('C');
    assert_eq!(values[..4], [word(0), word(0), word(15), word(4)]);
    assert!(is_pointer(&values[4]), "the data");
    assert_eq!(values[5..], [word(3), word(5), word(20), word(4)]);
    assert_eq!(on_the_page('F')[7..], [word(4), word(12)]);
    assert_eq!(on_the_page('A')[7..], [word(20), word(4)], "assumed");
}

#[test]
fn the_command_line_takes_what_is_certain() {
    let of = |layout| {
        let (text, _) = text(layout);
        let selected = select(&text, None, None).expect("one kernel");
        let argument = |name: &str, value| NamedArgument {
            name: name.to_owned(),
            text: format!("{value}"),
            value: ArgumentValue::Integer(value),
        };
        let options = LaunchOptions {
            block: Some([32, 1, 1]),
            arguments: &[argument("5", 3), argument("6", 5)],
            leaves_unknown: true,
            ..LaunchOptions::default()
        };
        let launched = selected.expect("PTX").launched(&text, &options);
        let launch = launched.expect("a launch").expect("a kernel").launch;
        let values: Vec<ParameterValue> = launch.values.into_iter().flatten().collect();
        values
    };
    let values = of('C');
    assert_eq!(values[..4], [word(0), word(0), word(15), word(4)]);
    assert!(is_pointer(&values[4]), "the data");
    assert_eq!(values[7..], [word(20), word(4)]);
    let unknown = [ParameterValue::Missing, ParameterValue::Missing];
    assert_eq!(of('A')[7..], unknown, "a view may skip elements");
}
