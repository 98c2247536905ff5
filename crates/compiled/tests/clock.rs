//! The passes over PTX end when they are told to, and say that they did.

use lanescope_compiled::{read, read_while, select_while};
use lanescope_frontend::DiagnosticKind;
use std::cell::Cell;
use std::fmt::Write as _;
use std::rc::Rc;

/// A kernel that loads and stores so many words of shared memory, one behind the other.
fn chain(words: usize) -> String {
    let mut text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry chain()\n{\n\
                    .shared .align 16 .b8 tile[65536];\n.reg .b32 %r<4>;\nmov.u32 %r1, %tid.x;\n\
                    shl.b32 %r2, %r1, 2;\nmov.u32 %r3, tile;\nadd.s32 %r3, %r3, %r2;\n"
        .to_owned();
    for at in 0..words {
        let (load, store) = (at * 4, at * 4 + 4);
        write!(
            text,
            "ld.shared.u32 %r1, [%r3+{load}];\nst.shared.u32 [%r3+{store}], %r1;\n"
        )
        .expect("a string takes any text");
    }
    text + "ret;\n}\n"
}

fn is_cut(kinds: impl IntoIterator<Item = DiagnosticKind>) -> bool {
    kinds
        .into_iter()
        .any(|kind| kind == DiagnosticKind::PassesCut)
}

#[test]
fn passes_that_end_in_time_are_not_mentioned() {
    let parsed = read(&chain(2_000), None).expect("PTX");
    assert!(!is_cut(parsed.diagnostics.into_iter().map(|one| one.kind)));
}

#[test]
fn passes_end_when_they_are_told_to() {
    let text = chain(2_000);
    let asked = Rc::new(Cell::new(0));
    let counter = Rc::clone(&asked);
    let parsed = read_while(&text, None, move || {
        counter.set(counter.get() + 1);
        false
    })
    .expect("PTX");
    assert_eq!(asked.get(), 1, "asked once, and no more after the answer");
    assert!(is_cut(parsed.diagnostics.into_iter().map(|one| one.kind)));
    assert_eq!(parsed.program.sites().len(), 4_000, "as it was written");

    let selected = select_while(&text, None, None, || false).expect("one kernel");
    let selected = selected.expect("PTX");
    assert!(is_cut(selected.diagnostics.into_iter().map(|one| one.kind)));
    assert!(selected.kernel.is_some());
}

/// Loops of one iteration, one inside the other, around a store.
fn nest(depth: usize) -> String {
    let mut text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry nest(.param .u64 a)\n{{\n.reg .pred %p<2>;\n\
         .reg .b32 %r<{depth}>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [a];\n"
    );
    for at in 0..depth {
        writeln!(text, "mov.u32 %r{at}, 0;\n$L{at}:").expect("a string takes any text");
    }
    text += "st.global.u32 [%rd1], %r0;\n";
    for at in (0..depth).rev() {
        writeln!(
            text,
            "add.s32 %r{at}, %r{at}, 1;\nsetp.lt.s32 %p1, %r{at}, 1;\n@%p1 bra $L{at};"
        )
        .expect("a string takes any text");
    }
    text + "ret;\n}\n"
}

#[test]
fn thousands_of_loops_in_each_other_are_left_as_they_are() {
    for (depth, cut) in [(100, false), (5_000, true)] {
        let parsed = read(&nest(depth), None).expect("PTX");
        assert_eq!(parsed.program.sites().len(), 1);
        assert_eq!(
            is_cut(parsed.diagnostics.into_iter().map(|one| one.kind)),
            cut,
            "{depth} deep"
        );
    }
}
