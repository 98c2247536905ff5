//! What the readers of PTX and SASS have to say of texts that are wrong, in every language.

use lanescope_compiled::{CompiledError, read};
use lanescope_frontend::{DiagnosticKind, Parsed};
use lanescope_locale::Language;
use lanescope_locale::compiled_fault::CompiledFault;
use lanescope_locale::other_text::OtherText;
use lanescope_locale::ptx_fault::{PtxError, PtxFault};
use lanescope_locale::sass_fault::SassFault;
use lanescope_profiler::ProfilerError;

/// A kernel around some lines.
fn kernel(lines: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 table[4];\n.visible .entry k(.param .u64 \
         k_param_0)\n{{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n{lines}\nret;\n}}\n"
    )
}

/// A function and a kernel that calls it.
fn called(function: &str, lines: &str) -> String {
    kernel(lines).replacen(".visible", &format!("{function}\n.visible"), 1)
}

/// A module of PTX with a kernel, and `text` outside it.
fn module(text: &str) -> String {
    kernel("") + text
}

fn faults(parsed: &Parsed) -> Vec<&CompiledFault> {
    let kinds = parsed.diagnostics.iter().map(|one| &one.kind);
    let fault = |kind| match kind {
        &DiagnosticKind::CompiledNote { ref fault }
        | &DiagnosticKind::CompiledGap { ref fault }
        | &DiagnosticKind::CompiledError { ref fault } => Some(fault),
        _ => None,
    };
    kinds.filter_map(fault).collect()
}

/// What stands in no quotation.
fn unquoted(sentence: &str) -> String {
    sentence.split('`').step_by(2).collect()
}

/// Words that stand in no quotation and are of no name that every language writes so.
fn foreign_words(sentence: &str) -> Vec<String> {
    const NAMES: [&str; 13] = [
        "PTX", "SASS", "AMD", "LLVM", "MLIR", "CUDA", "WGSL", "C", "MiB", "Triton", "Nsight",
        "Compute", "CSV",
    ];
    let text = unquoted(sentence);
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
    words
        .filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic()))
        .filter(|word| !NAMES.contains(word) && !word.starts_with("sm_"))
        .map(str::to_owned)
        .collect()
}

/// Each language has a sentence of its own, and the Chinese one no English words or punctuation.
fn has_words(said: impl Fn(Language) -> String) {
    let sentences: Vec<String> = Language::ALL.iter().copied().map(&said).collect();
    for (at, sentence) in sentences.iter().enumerate() {
        assert!(!sentences[..at].contains(sentence), "{sentence}");
        assert!(!sentence.ends_with(['.', '。']), "{sentence}");
    }
    let chinese = said(Language::Chinese);
    assert_eq!(foreign_words(&chinese), Vec::<String>::new(), "{chinese}");
    let narrow = [',', ';', ':', '(', ')', '?', '.'];
    assert!(!unquoted(&chinese).contains(narrow), "{chinese}");
}

/// `text` as compiled code has the fault `wanted`, which has words.
fn assert_fault(text: &str, kernel: Option<&str>, wanted: &CompiledFault) {
    let parsed = read(text, kernel).expect("compiled code");
    let said = faults(&parsed);
    assert!(said.contains(&wanted), "{wanted:?} is not in {said:?}");
    has_words(|language| wanted.text(language));
}

#[test]
fn each_fault_of_ptx_is_found_and_has_words() {
    use PtxFault as F;
    let f = || "f".to_owned();
    let bare = "// k\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 \
                %rd2, %rd1;\nld.const.u32 %r2, [known];\nst.global.u32 [%rd2], %r2;\nret;\n}\n";
    let chain: String = (0..30)
        .map(|at| format!(".func f{at}()\n{{\ncall f{};\nret;\n}}\n", at + 1))
        .collect();
    let deep = "{".repeat(5_000) + &"}".repeat(5_000);
    let cases = [
        (kernel("= 3;"), F::Unexpected("=".into())),
        (
            kernel("add.u32 %r1, %r2, %r3\nadd.u32 %r1, %r2, %r3;"),
            F::MissingSemicolon("add.u32".into()),
        ),
        (kernel("@%p1 ;"), F::MissingInstruction),
        (kernel("add.u32 %r1, =;"), F::NotAnOperand("=".into())),
        (module(".func g()\n{\nadd.u32 %r1, 3"), F::EndsInInstruction),
        (kernel(".reg .b32 %x<3>\nret;"), F::OpenDeclaration),
        (module("}"), F::UnopenedBrace),
        (module(".nonsense;"), F::NotADirective(".nonsense".into())),
        (module(".func { ret; }"), F::UnnamedFunction),
        (module(".func g()\n{\nret;"), F::EndsInFunction),
        (kernel("add.u32 %r1, _, 3;"), F::NoValue),
        (kernel("add.u32 %r1, %r2;"), F::MissingOperand),
        (kernel("mov.b32 %r1, {%r2, %r3, %r4};"), F::VectorLength),
        (
            kernel(".param .b32 slot;\nmov.u64 %rd1, slot;"),
            F::AddressOfParameter("slot".into()),
        ),
        (
            called(".func f()\n{\nret;\n}", "mov.u64 %rd1, f;"),
            F::AddressOfFunction(f()),
        ),
        (kernel("add.u32 %r1, %r2, %p1;"), F::PredicateOrNumber),
        (kernel("ld.global.u32 %r1, [];"), F::MissingAddress),
        (
            kernel("cvta.param.u64 %rd1, %rd2;"),
            F::GenericAddress("cvta.param.u64".into()),
        ),
        (kernel("add.u32 3, %r1, %r2;"), F::NotWritable),
        (
            kernel("frobnicate.b32 %r1, %r2;"),
            F::MemoryNotModelled("frobnicate.b32".into()),
        ),
        (
            kernel("frobnicate.b32 %r1, %r2;"),
            F::UnknownInstruction("frobnicate.b32".into()),
        ),
        (kernel(&deep), F::TooDeep),
        (
            kernel("@%r1 add.u32 %r1, %r2, %r3;"),
            F::NotAPredicate("%r1".into()),
        ),
        (kernel("bra nowhere;"), F::UnknownLabel),
        (kernel("brx.idx %r1, nowhere;"), F::NoTargets),
        (
            called(
                ".global .u64 pointer = table;",
                "ld.global.u64 %rd1, [pointer];",
            ),
            F::HoldsAddresses("pointer".into()),
        ),
        (
            kernel("ld.global.u32 %r1, [missing];"),
            F::NotDeclared("missing".into()),
        ),
        (kernel("call 3;"), F::CallOfNothing),
        (
            called(".func f()\n{\ncall f;\nret;\n}", "call f;"),
            F::Recursion(f()),
        ),
        (called(".extern .func f();", "call.uni f;"), F::NoBody(f())),
        (kernel("call %rd1, (%r1);"), F::IndirectCall("%rd1".into())),
        (called(&chain, "call f0;"), F::CalledTooDeep("f24".into())),
        (
            kernel("ld.global.v4.u64 {%rd1, %rd2, %rd3, %rd4}, [%rd5];"),
            F::CountedAsTwo("ld.global.v4.u64".into()),
        ),
        (
            kernel("ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];"),
            F::VectorMismatch,
        ),
        (kernel("ld.global.u64 %r1, [%rd1];"), F::NarrowRegister),
        (
            kernel("ld.param.u32 %r1, [absent];"),
            F::UndeclaredParameter,
        ),
        (
            kernel("ld.param.u32 %r1, [table];"),
            F::NotAParameter("table".into()),
        ),
        (
            kernel("st.param.b32 [k_param_0], %r1;"),
            F::ReadOnlyParameter,
        ),
        (
            kernel("barrier.red.popc.u32 %r1, 1, 64, %p1;"),
            F::PartialReduction,
        ),
        (
            kernel("cp.async.ca.shared.global [%r1], [%rd1], 3;"),
            F::AsyncCopyBytes,
        ),
        (
            kernel("add.u32 table, %r1, %r2;"),
            F::NotARegister("table".into()),
        ),
        (
            kernel("add.u32 %tid.x, %r1, %r2;"),
            F::ReadOnlyRegister("%tid.x".into()),
        ),
        (
            kernel("add.u32 %x1, %r1, %r2;"),
            F::UndeclaredRegister("%x1".into()),
        ),
        (bare.into(), F::MissingHead),
        (bare.into(), F::ContentsNotKnown("known".into())),
    ];
    for (text, fault) in cases {
        assert_fault(&text, None, &CompiledFault::Ptx(fault));
    }
    // A million instructions are not written out here.
    has_words(|language| F::KernelTooLong.text(language));
}

#[test]
fn each_fault_of_a_listing_is_found_and_has_words() {
    use SassFault as F;
    let row = "/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ LDS R1, [R0] ;\n/*0020*/ EXIT ;\n";
    let head = |name: &str| format!("Function : {name}\n");
    let several = ["80", "90"]
        .map(|one| format!("code for sm_{one}\n{}{row}", head("f")))
        .concat();
    let cases = [
        (
            row.replace("LDS R1, [R0]", "FROB R1, R0") + &row.replace("LDS", "FROB"),
            F::NotModelled {
                opcode: "FROB".into(),
                times: 1,
            },
        ),
        (row.to_owned(), F::ArchitectureAssumed { taken: 90 }),
        (
            several,
            F::SeveralArchitectures {
                found: vec![80, 90],
                taken: 90,
            },
        ),
        (
            head("f") + &row.replace("EXIT", "NOP"),
            F::CutOff {
                function: "f".into(),
            },
        ),
    ];
    for (text, fault) in cases {
        assert_fault(&text, None, &CompiledFault::Sass(fault));
    }
    let unknown = F::UnknownFunction {
        wanted: "g".into(),
        names: vec!["f".into()],
    };
    let text = head("f") + row;
    assert_fault(&text, Some("g"), &CompiledFault::Sass(unknown));
}

#[test]
fn a_kernel_of_ptx_that_there_is_not_is_said_with_those_that_there_are() {
    let unknown = PtxError::Unknown("g".into(), vec!["k".into()]);
    assert_fault(&kernel(""), Some("g"), &CompiledFault::NoPtx(unknown));
}

#[test]
fn texts_of_other_tools_are_named_in_every_language() {
    for kind in [
        OtherText::Empty,
        OtherText::Ptx,
        OtherText::Sass,
        OtherText::AmdAssembly,
        OtherText::Llvm,
        OtherText::Mlir,
        OtherText::Cuda,
        OtherText::Encodings,
        OtherText::NoPtx,
        OtherText::NoSass,
    ] {
        has_words(|language| kind.text(language).to_owned());
    }
}

#[test]
fn what_keeps_code_from_being_counted_has_words() {
    let (name, names) = ("n".to_owned(), vec!["a".to_owned(), "b".to_owned()]);
    for error in [
        CompiledError::NoBlock,
        CompiledError::Offset { name: name.clone() },
        CompiledError::Gap { at: 2, count: 1 },
        CompiledError::Parameter {
            name: name.clone(),
            names: names.clone(),
        },
        CompiledError::Pointer { name: name.clone() },
        CompiledError::NoKernel {
            wanted: name,
            names: names.clone(),
        },
        CompiledError::SeveralKernels { names },
    ] {
        has_words(|language| error.text(language));
    }
}

#[test]
fn what_keeps_an_export_from_being_compared_has_words() {
    let (name, kernels) = ("n".to_owned(), vec!["a".to_owned(), "b".to_owned()]);
    for error in [
        ProfilerError::NotAnExport,
        ProfilerError::NotCsv,
        ProfilerError::Binary,
        ProfilerError::Failed {
            message: "no permission".into(),
        },
        ProfilerError::Session,
        ProfilerError::TooLarge { mebibytes: 64 },
        ProfilerError::NoKernel,
        ProfilerError::UnknownKernel {
            name: name.clone(),
            kernels: kernels.clone(),
        },
        ProfilerError::SeveralKernels { kernels },
        ProfilerError::SeveralLaunches {
            name: name.clone(),
            launches: 3,
        },
        ProfilerError::NoSuchLaunch {
            number: 4,
            name,
            launches: 3,
        },
        ProfilerError::NoCounters,
    ] {
        has_words(|language| error.text(language));
    }
}
