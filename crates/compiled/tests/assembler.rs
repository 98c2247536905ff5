//! Which PTX its assembler may treat otherwise than is counted: loads of shared memory that repeat, lie beside each other or
//! stand on both sides of a branch.

use lanescope_compiled::{read, select_while};
use lanescope_frontend::{Diagnostic, DiagnosticKind};

/// A kernel of a block of 32 threads over `tile`, with its own offset in `%r4` and in `%r5` what all lanes share.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 out, .param .u32 n)\n{{\n\
         .reg .b32 %r<20>;\n.reg .b16 %h<8>;\n.reg .f32 %f<20>;\n.reg .b64 %rd<8>;\n.reg .pred %p<4>;\n\
         .shared .align 16 .b8 tile[4096];\n\
         ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\ncvta.to.global.u64 %rd2, %rd1;\n\
         mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd2, %rd3;\n\
         shl.b32 %r3, %r2, 2;\nmov.u32 %r5, tile;\nadd.s32 %r4, %r5, %r3;\n\
         {body}\nret;\n}}\n"
    )
}

/// The line that a choice of the assembler is told of.
fn choice(body: &str) -> Option<u32> {
    let parsed = read(&kernel(body), None).expect("PTX");
    let is_choice = |one: &&Diagnostic| one.kind == DiagnosticKind::AssemblerChoice;
    let mut all = parsed.diagnostics.iter().filter(is_choice);
    let first = all.next().map(|one| one.line);
    assert_eq!(all.next(), None, "told once");
    first
}

/// The line of the body's first row.
const FIRST: u32 = 21;

#[test]
fn loads_that_nothing_can_change_are_counted() {
    for body in [
        // Each place once, or a barrier between.
        "ld.shared.f32 %f1, [%r4];\nst.global.f32 [%rd4], %f1;",
        "ld.shared.f32 %f1, [%r4];\nbar.sync 0;\nld.shared.f32 %f2, [%r4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;",
        // Neighbouring words that no alignment joins.
        "ld.shared.f32 %f1, [%r4];\nld.shared.f32 %f2, [%r4+4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;",
        // Volatile ones are made as they stand.
        "ld.volatile.shared.f32 %f1, [%r4];\nld.volatile.shared.f32 %f2, [%r4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;",
        // A branch that only one side of loads, and one that all lanes take alike.
        "setp.lt.u32 %p1, %r2, 7;\nmov.f32 %f1, 0f00000000;\n@%p1 bra A;\nld.shared.f32 %f1, [%r4];\nA:\nst.global.f32 [%rd4], %f1;",
        "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra A;\nld.shared.f32 %f1, [%r4+4];\nbra B;\nA:\nld.shared.f32 %f1, [%r4+64];\nB:\nst.global.f32 [%rd4], %f1;",
        // The same loop where all lanes make as many.
        "mov.f32 %f3, 0f00000000;\nmov.u32 %r7, 0;\nL:\nmul.wide.u32 %rd5, %r7, 4;\nadd.s64 %rd6, %rd2, %rd5;\nld.global.f32 %f1, [%rd6];\nadd.f32 %f3, %f3, %f1;\nadd.s32 %r7, %r7, 3;\nsetp.lt.u32 %p1, %r7, %r1;\n@%p1 bra L;\nst.global.f32 [%rd4], %f3;",
        // An atomic that all lanes reach.
        "red.shared.add.u32 [%r5], 2;\nst.global.u32 [%rd4], %r2;",
        // A short loop in which no iteration's loads lie beside each other.
        "mov.f32 %f3, 0f00000000;\nmov.u32 %r7, 0;\nmov.u32 %r6, %r4;\nL:\nld.shared.f32 %f1, [%r6];\nadd.f32 %f3, %f3, %f1;\nadd.s32 %r6, %r6, 128;\nadd.s32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, %r1;\n@%p1 bra L;\nst.global.f32 [%rd4], %f3;",
        // Words of global memory beside each other, of which nobody knows that they are aligned.
        "ld.global.f32 %f1, [%rd4];\nld.global.f32 %f2, [%rd4+4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4+128], %f3;",
        "st.shared.f32 [%r4], %f1;",
    ] {
        assert_eq!(choice(body), None, "{body}");
    }
}

#[test]
fn loads_that_may_be_joined_repeated_or_left_out_are_predicted() {
    for body in [
        // Of the same place, next to each other and with a store between that may touch it.
        "ld.shared.f32 %f1, [%r4];\nld.shared.f32 %f2, [%r4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;",
        "ld.shared.f32 %f1, [%r4];\nmad.lo.s32 %r6, %r2, %r1, %r5;\nst.shared.f32 [%r6], %f1;\nld.shared.f32 %f2, [%r4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;",
        // Of global memory, too, and what only a selection needs.
        "ld.global.f32 %f1, [%rd4];\nld.global.f32 %f2, [%rd4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4+128], %f3;",
        "ld.shared.f32 %f1, [%r5];\nmov.f32 %f2, 0f00000000;\nsetp.lt.u32 %p1, %r2, 7;\nselp.f32 %f3, %f1, %f2, %p1;\nst.global.f32 [%rd4], %f3;",
        // Bytes stored beside a word.
        "st.shared.u32 [%r4], %r2;\nst.shared.v4.u8 [%r4+4], {%r1, %r1, %r1, %r1};\nst.global.v4.u8 [%rd4], {%r1, %r1, %r1, %r1};\nst.global.u32 [%rd4+4], %r2;",
        // Halves beside each other.
        "ld.shared.u16 %h1, [%r4];\nld.shared.u16 %h2, [%r4+2];\nadd.u16 %h3, %h1, %h2;\nst.global.u16 [%rd4], %h3;",
        // Words beside each other at one address for all lanes, with a store between.
        "ld.shared.f32 %f1, [%r5];\nmad.lo.s32 %r6, %r2, %r1, %r5;\nst.shared.f32 [%r6], %f1;\nld.shared.f32 %f2, [%r5+4];\nadd.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4], %f3;",
        // On both sides of a branch on which lanes part.
        "setp.lt.u32 %p1, %r2, 7;\n@%p1 bra A;\nld.shared.f32 %f1, [%r4+4];\nbra B;\nA:\nld.shared.f32 %f1, [%r4+64];\nB:\nst.global.f32 [%rd4], %f1;",
        // In every iteration of a loop without barrier.
        "mov.f32 %f3, 0f00000000;\nmov.u32 %r7, 0;\nL:\nld.shared.f32 %f1, [%r4];\nadd.f32 %f3, %f3, %f1;\nmad.lo.s32 %r6, %r7, %r1, %r5;\nst.shared.f32 [%r6], %f3;\nadd.s32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, %r1;\n@%p1 bra L;\nst.global.f32 [%rd4], %f3;",
        // Stores that the profile joins.
        "shl.b32 %r6, %r2, 3;\nadd.s32 %r6, %r5, %r6;\nst.shared.f32 [%r6], %f1;\nst.shared.f32 [%r6+4], %f2;",
        // A short loop whose lanes make different numbers of iterations.
        "mov.f32 %f3, 0f00000000;\nmov.u32 %r7, %r2;\nL:\nmul.wide.u32 %rd5, %r7, 4;\nadd.s64 %rd6, %rd2, %rd5;\nld.global.f32 %f1, [%rd6];\nadd.f32 %f3, %f3, %f1;\nadd.s32 %r7, %r7, 3;\nsetp.lt.u32 %p1, %r7, %r1;\n@%p1 bra L;\nst.global.f32 [%rd4], %f3;",
        // A short loop whose iterations' loads lie beside each other, and one of four words that the profile joins.
        "mov.f32 %f3, 0f00000000;\nmov.u32 %r7, 0;\nmov.u32 %r6, %r4;\nL:\nld.shared.f32 %f1, [%r6];\nadd.f32 %f3, %f3, %f1;\nadd.s32 %r6, %r6, 4;\nadd.s32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, %r1;\n@%p1 bra L;\nst.global.f32 [%rd4], %f3;",
        "mov.f32 %f3, 0f00000000;\nmov.u32 %r7, 0;\nmad.lo.s32 %r6, %r2, 16, %r5;\nL:\nld.shared.f32 %f1, [%r6];\nadd.f32 %f3, %f3, %f1;\nld.shared.f32 %f2, [%r6+4];\nadd.f32 %f3, %f3, %f2;\nld.shared.f32 %f4, [%r6+8];\nadd.f32 %f3, %f3, %f4;\nld.shared.f32 %f5, [%r6+12];\nadd.f32 %f3, %f3, %f5;\nadd.s32 %r6, %r6, 512;\nadd.s32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, %r1;\n@%p1 bra L;\nst.global.f32 [%rd4], %f3;",
        // An atomic of all lanes at one address in a branch on which they part.
        "setp.lt.u32 %p1, %r2, 7;\n@%p1 bra A;\nred.shared.add.u32 [%r5], 2;\nA:\nst.global.u32 [%rd4], %r2;",
        // Of which nothing is needed.
        "ld.shared.f32 %f1, [%r4];\nst.global.u32 [%rd4], %r2;",
    ] {
        let line = choice(body);
        assert!(line.is_some_and(|line| line >= FIRST), "{line:?}: {body}");
    }
}

#[test]
fn a_selected_kernel_says_it_too() {
    let text = kernel("ld.shared.f32 %f1, [%r4];\nst.global.u32 [%rd4], %r2;");
    let selected = select_while(&text, None, None, || true).expect("one kernel");
    let said = selected.expect("PTX").diagnostics;
    let is_choice = |one: &Diagnostic| one.kind == DiagnosticKind::AssemblerChoice;
    assert!(said.iter().any(is_choice), "{said:?}");
}
