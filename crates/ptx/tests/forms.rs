//! Every form of `forms.ptx`, which `ptxas` accepts, is lowered to a valid kernel.

use lanescope_ir::{Kernel, Op, Terminator};
use lanescope_ptx::{Lowered, PtxError, Severity, looks_like_ptx, read};

const FORMS: &str = include_str!("forms.ptx");

fn lowered(text: &str) -> Lowered {
    let lowered = read(text, None).expect("a kernel");
    assert_eq!(lowered.kernel.verify(), Ok(()));
    lowered
}

fn messages(lowered: &Lowered) -> Vec<String> {
    let all = lowered.diagnostics.as_slice();
    all.iter().map(|one| one.fault.to_string()).collect()
}

fn ops(kernel: &Kernel) -> impl Iterator<Item = &Op> {
    kernel
        .blocks
        .iter()
        .flat_map(|block| block.instructions.iter().map(|instruction| &instruction.op))
}

/// A kernel around some lines.
fn around(lines: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{{\n.reg .pred \
         %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n{lines}\nret;\n}}\n"
    )
}

#[test]
fn all_forms_are_lowered() {
    let lowered = lowered(FORMS);
    assert_eq!(messages(&lowered), Vec::<String>::new());
    let unmodelled: Vec<&str> = ops(&lowered.kernel)
        .filter_map(|op| match op {
            Op::Unmodelled { name, is_pure, .. } => {
                assert!(is_pure, "{name}");
                Some(name.as_str())
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        unmodelled,
        [
            "fns.b32",
            "vadd4.s32.s32.s32",
            "cvt.rna.tf32.f32",
            "atom.global.add.noftz.f16x2",
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        ]
    );
}

#[test]
fn arrays_lie_one_behind_another() {
    let kernel = lowered(FORMS).kernel;
    let place = |name: &str| {
        let array = kernel.arrays.iter().find(|array| array.name == name);
        array.map(|array| (array.base, array.bytes))
    };
    assert_eq!(place("gate"), Some((0, Some(8))));
    assert_eq!(place("tile"), Some((16, Some(4096))));
    assert_eq!(place("dynamic"), Some((4112, None)));
    assert_eq!(kernel.shared_bytes, Some(4112));
    assert_eq!(kernel.shared_base, 0x400);
    let table = kernel.arrays.iter().find(|array| array.name == "table");
    let bytes = table.map(|array| array.initial.clone());
    assert_eq!(
        bytes,
        Some(vec![(
            0,
            vec![1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 16, 0, 0, 0]
        )])
    );
}

#[test]
fn parameters_have_their_places() {
    let kernel = lowered(FORMS).kernel;
    let places: Vec<(u32, u32, bool)> = kernel
        .parameters
        .iter()
        .map(|parameter| (parameter.offset, parameter.bytes, parameter.array.is_some()))
        .collect();
    assert_eq!(
        places,
        [(0, 8, true), (8, 4, false), (16, 32, false), (48, 4, false)]
    );
}

#[test]
fn branches_meet_at_their_post_dominator() {
    let text = around(
        "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra A;\nadd.s32 %r2, %r1, 1;\nbra.uni B;\nA:\nadd.s32 \
         %r2, %r1, 2;\nB:\nst.shared.u32 [%r2], %r1;",
    );
    let kernel = lowered(&text).kernel;
    let joins: Vec<_> = kernel
        .blocks
        .iter()
        .filter_map(|block| match block.terminator {
            Terminator::Branch { join, .. } => Some(join),
            _ => None,
        })
        .collect();
    let store = kernel.blocks.iter().position(|block| {
        block
            .instructions
            .iter()
            .any(|instruction| matches!(instruction.op, Op::Store { .. }))
    });
    assert_eq!(joins.len(), 1);
    assert_eq!(
        joins.first().copied().flatten().map(|join| join.index()),
        store
    );
}

#[test]
fn what_is_not_known_is_named() {
    let lowered = lowered(&around("frobnicate.b32 %r1, %r2;"));
    assert_eq!(
        messages(&lowered),
        [
            "`frobnicate.b32` is not known: what depends on it is unknown",
            "`frobnicate.b32` is not modelled: what it does to memory is not counted"
        ]
    );
}

#[test]
fn matrix_fragments_are_the_tiles_they_touch() {
    let fragment = |count: u32| -> String {
        let names: Vec<String> = (1..=count).map(|at| format!("%x{at}")).collect();
        format!("{{{}}}", names.join(", "))
    };
    let text = around(&format!(
        ".reg .b32 %x<9>;\nwmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {f}, [%r1], 24;\n\
         wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {f}, [%rd1], %r2;\n\
         wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {f}, [%r1], 20;\n\
         wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [%rd1], {f}, 20;",
        f = fragment(8)
    ));
    let lowered = lowered(&text);
    assert_eq!(messages(&lowered), Vec::<String>::new());
    let widths: Vec<(u64, usize)> = lowered
        .kernel
        .sites
        .chunk_by(|a, b| a.text == b.text)
        .map(|sites| {
            (
                sites.first().map_or(0, |site| site.width.bytes()),
                sites.len(),
            )
        })
        .collect();
    assert_eq!(widths, [(16, 1), (4, 4), (8, 4), (4, 8)]);
}

#[test]
fn recursion_is_said() {
    let text = format!(
        ".func f(.reg .u32 n)\n{{\ncall f, (n);\nret;\n}}\n{}",
        around("call f, (%r1);")
    );
    let lowered = lowered(&text);
    assert_eq!(
        messages(&lowered),
        ["`f` calls itself: what it does there is not followed"]
    );
}

#[test]
fn a_body_without_its_head_is_read() {
    let text = "// _Z1kPfi\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n.loc 1 7 3\nld.param.u64 %rd1, \
                [_Z1kPfi_param_0];\nld.param.u32 %r1, [_Z1kPfi_param_2];\ncvta.to.global.u64 %rd2, %rd1;\nst.global.u32 \
                [%rd2], %r1;\nmov.u32 %r2, buffer;\nst.shared.u32 [%r2+4], %r1;\nret;\n}\n";
    let lowered = lowered(text);
    let kernel = &lowered.kernel;
    assert_eq!(kernel.name, "_Z1kPfi");
    let bytes: Vec<u32> = kernel.parameters.iter().map(|one| one.bytes).collect();
    assert_eq!(bytes, [8, 8, 4]);
    assert_eq!(kernel.shared_bytes, None);
    let origins: Vec<_> = kernel
        .sites
        .iter()
        .filter_map(|site| kernel.places.get(site.place.index()))
        .map(|place| (place.line, place.origin))
        .collect();
    assert_eq!(origins, [(9, Some((0, 7))), (11, Some((0, 7)))]);
}

#[test]
fn kernels_are_found_by_either_name() {
    let text = FORMS.replace("forms", "_ZN2ns5scaleIfEEvPT_");
    for name in ["scale", "_ZN2ns5scaleIfEEvPT_"] {
        assert!(read(&text, Some(name)).is_ok(), "{name}");
    }
    assert_eq!(
        read(&text, Some("stretch")).map(|_| ()),
        Err(PtxError::Unknown(
            "stretch".into(),
            vec!["_ZN2ns5scaleIfEEvPT_".into()]
        ))
    );
}

#[test]
fn other_texts_are_told_apart() {
    for (text, words) in [
        ("__global__ void k(float* x) {}", "CUDA C++"),
        ("@compute @workgroup_size(64) fn main() {}", "WGSL"),
        (
            "\tcode for sm_90\n\t\tFunction : _Z1kPf\n /*0000*/ LDC R1, c[0x0][0x28] ;",
            "SASS",
        ),
        ("s_load_dwordx2 s[0:1], s[4:5], 0x0", "AMD"),
        ("hello", "no directive"),
    ] {
        assert!(!looks_like_ptx(text));
        let error = read(text, None).expect_err("no kernel").to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// Cut anywhere, the text gives a tree, a valid kernel or one sentence; never a panic.
#[test]
fn a_text_can_end_anywhere() {
    for end in (0..FORMS.len()).step_by(41) {
        let text = FORMS.get(..end).unwrap_or("");
        if let Ok(lowered) = read(text, None) {
            assert_eq!(lowered.kernel.verify(), Ok(()), "cut at {end}");
            let errors = lowered.diagnostics.as_slice().iter();
            assert!(
                errors.filter(|one| one.severity == Severity::Error).count() > 0,
                "cut at {end}: nothing is said"
            );
        }
    }
}

/// With any one character put out of place, the text still gives a valid kernel or one sentence.
#[test]
fn a_text_can_be_damaged_anywhere() {
    let marks = [
        ';', '{', '}', '[', ']', '(', ',', '@', '%', ':', '"', '-', '0', '.',
    ];
    for (turn, at) in (0..FORMS.len()).step_by(59).enumerate() {
        let mark = marks.get(turn % marks.len()).copied().unwrap_or(';');
        let mut text = FORMS.to_owned();
        if !text.is_char_boundary(at) {
            continue;
        }
        text.replace_range(at..=at, &mark.to_string());
        if let Ok(lowered) = read(&text, None) {
            assert_eq!(lowered.kernel.verify(), Ok(()), "{mark} at {at}");
        }
    }
}

#[test]
fn a_negated_predicate_where_a_number_is_wanted_is_an_error() {
    for line in ["cvta.global.u64 %rd1, !3;", "add.u32 %r1, %r2, !%p1;"] {
        let lowered = lowered(&around(line));
        assert!(
            messages(&lowered)
                .iter()
                .any(|one| one.starts_with("a predicate stands where")),
            "{line}"
        );
    }
}

/// A predicate has no sign.
#[test]
fn predicates_have_no_sign() {
    for operand in ["!-%p1", "-%p1"] {
        let lowered = lowered(&around(&format!("selp.b32 %r1, %r2, %r3, {operand};")));
        let said = messages(&lowered);
        let expected = lanescope_locale::ptx_fault::PtxFault::PredicateOrNumber.to_string();
        assert_eq!(said, [expected], "{operand}");
    }
}

#[test]
fn sums_of_halves_are_counted_where_it_is_known_what_ptxas_makes_of_them() {
    // One behind a generic address, and a single half in global memory: loops, and atomics of both memories.
    for (line, is_known) in [
        ("atom.global.add.noftz.f16x2 %r2, [%rd1], %r1;", true),
        ("red.global.add.noftz.bf16x2 [%rd1], %r1;", true),
        ("atom.shared.add.noftz.f16x2 %r2, [%r3], %r1;", true),
        ("atom.add.noftz.f16x2 %r2, [%rd1], %r1;", false),
        ("red.add.noftz.bf16x2 [%rd1], %r1;", false),
        ("atom.add.noftz.f16 %rs2, [%rd1], %rs1;", false),
        ("atom.global.add.noftz.bf16 %rs2, [%rd1], %rs1;", false),
    ] {
        let lowered = lowered(&around(&format!("ld.param.u64 %rd1, [k_param_0];\n{line}")));
        let is_open =
            ops(&lowered.kernel).any(|op| matches!(op, Op::Unmodelled { is_pure: false, .. }));
        assert_eq!(is_open, !is_known, "{line}");
    }
}
