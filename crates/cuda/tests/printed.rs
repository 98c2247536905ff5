//! What the printer of the tree prints reads as the same tree, and lowers to the same program.

use lanescope_cuda::{parse_expression, parse_kernel};
use lanescope_frontend::{KernelOptions, Severity};
use lanescope_ir::{Kernel, PlaceId};
use lanescope_model::Operation;
use lanescope_syntax::{
    lexer, parser, preprocessor,
    printer::{lines, source},
    sink::Sink,
    tree::{Stmt, Tree},
};
use proptest::prelude::*;
use std::path::PathBuf;

fn tree(text: &str, defines: &[(String, String)]) -> Option<Tree> {
    let mut sink = Sink::new(text);
    let tokens = preprocessor::preprocess(lexer::lex(text, &mut sink), defines, &mut sink);
    let tree = parser::parse_source(tokens, &mut sink);
    let fine = sink
        .into_list()
        .iter()
        .all(|one| one.severity() != Severity::Error);
    fine.then_some(tree)
}

/// The kernel, without the places of the text.
fn code(program: &lanescope_frontend::Program) -> Option<Kernel> {
    let mut kernel = program.lowered().cloned()?;
    for block in &mut kernel.blocks {
        block.place = PlaceId::default();
        for instruction in &mut block.instructions {
            instruction.place = PlaceId::default();
        }
    }
    for site in &mut kernel.sites {
        site.text.clear();
        site.place = PlaceId::default();
    }
    for array in &mut kernel.arrays {
        array.place = PlaceId::default();
        // A structure without a name is printed with one.
        array.element.clear();
    }
    for parameter in &mut kernel.parameters {
        parameter.place = PlaceId::default();
        parameter.declared.clear();
    }
    for variable in &mut kernel.variables {
        variable.place = PlaceId::default();
    }
    kernel.places.clear();
    Some(kernel)
}

/// Whether a source was read without an error and comes back from its tree.
fn comes_back(text: &str, options: &KernelOptions) -> bool {
    let Some(first) = tree(text, &options.defines) else {
        return false;
    };
    let printed = source(&first);
    let again = tree(&printed, &options.defines);
    let again = again.unwrap_or_else(|| panic!("what is printed reads:\n{printed}"));
    assert_eq!(source(&again), printed, "of:\n{text}");
    let kernels = |text: &str| parse_kernel(text, options).program;
    let (before, after) = (kernels(text), kernels(&printed));
    assert_eq!(before.kernels(), after.kernels());
    assert_eq!(code(&before), code(&after), "{printed}\nof:\n{text}");
    true
}

fn files(folder: &str) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "cu" || end == "txt")
        })
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn golden_kernels_come_back() {
    let kernels = [
        files("../../tests/golden/kernels"),
        files("../../tests/golden/more_kernels"),
    ]
    .concat();
    for text in &kernels {
        assert!(comes_back(text, &KernelOptions::default()), "{text}");
    }
    assert!(kernels.len() >= 79);
}

/// The declarations of an expression, the source of a language case, and its `#define`s.
type Parts<'c> = (Option<&'c str>, &'c str, Vec<(String, String)>);

fn parts(case: &str) -> Option<Parts<'_>> {
    let mut parts = case.split("\n---\n");
    let (settings, text) = (parts.next()?, parts.next()?);
    let defines = settings.lines().filter_map(|line| {
        let (name, value) = line.strip_prefix("define ")?.split_once(' ')?;
        Some((name.to_owned(), value.to_owned()))
    });
    let defines = defines.collect();
    Some(match text.split_once("\n...\n") {
        Some((declarations, accesses)) => (Some(declarations), accesses, defines),
        None => (None, text, defines),
    })
}

#[test]
fn language_cases_come_back() {
    let (mut kernels, mut expressions) = (0, 0);
    for file in files("tests/cases") {
        for case in file.split("\n=== ").skip(1) {
            match parts(case) {
                // The library's text has no place in the source; printed, it would have one.
                Some((None, text, _))
                    if ["#include <cub", "#include <cuda/"]
                        .iter()
                        .any(|one| text.contains(one)) => {}
                Some((None, text, defines)) => {
                    let options = KernelOptions {
                        defines,
                        ..KernelOptions::default()
                    };
                    kernels += usize::from(comes_back(text, &options));
                }
                Some((Some(declarations), accesses, _)) => {
                    expressions += usize::from(expression_comes_back(declarations, accesses));
                }
                None => {}
            }
        }
    }
    assert!(kernels >= 40, "{kernels} kernels");
    assert!(expressions >= 10, "{expressions} expressions");
}

fn expression_list(declarations: &str, accesses: &str) -> Option<(Vec<Stmt>, u32)> {
    let text = format!("{declarations}\n{accesses}");
    let split = u32::try_from(declarations.len()).ok()? + 1;
    let mut sink = Sink::new(&text);
    let tokens = preprocessor::preprocess(lexer::lex(&text, &mut sink), &[], &mut sink);
    let list = parser::parse_accesses(tokens, split, &mut sink);
    let fine = sink
        .into_list()
        .iter()
        .all(|one| one.severity() != Severity::Error);
    fine.then_some((list, split))
}

fn expression_comes_back(declarations: &str, accesses: &str) -> bool {
    let Some((list, split)) = expression_list(declarations, accesses) else {
        return false;
    };
    let printed = lines(&list, split);
    let (again, split) = expression_list(&printed.0, &printed.1)
        .unwrap_or_else(|| panic!("what is printed reads: {printed:?}"));
    assert_eq!(
        lines(&again, split),
        printed,
        "of {declarations}\n{accesses}"
    );
    let kernel = |declarations: &str, accesses: &str| {
        code(&parse_expression(declarations, accesses, Operation::Load).program)
    };
    assert_eq!(
        kernel(declarations, accesses),
        kernel(&printed.0, &printed.1),
        "{printed:?}"
    );
    true
}

fn any_expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a",
        "b",
        "p",
        "*p",
        "s[a]",
        "v.x",
        "1",
        "2u",
        "3ll",
        "4ull",
        "true",
        "'c'",
        "'\\n'",
        "1.5f",
        "2.0",
        "threadIdx.x",
        "sizeof(int)",
        "sizeof(float4*)",
        "f<int, 3>(a)",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 3, |inner| {
        let binary = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=",
            "&&", "||", ",", "=", "+=", "<<=",
        ]);
        let prefix = prop::sample::select(vec![
            "-",
            "+",
            "!",
            "~",
            "*",
            "&",
            "++",
            "--",
            "(int)",
            "(float*)",
            "(const char&)",
        ]);
        prop_oneof![
            (inner.clone(), binary, inner.clone()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            (prefix, inner.clone()).prop_map(|(op, a)| format!("{op} {a}")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("({a})++")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[{b}]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("f<int, 3>(({a}), ({b}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("float2{{({a}), ({b})}}")),
            inner.clone().prop_map(|a| format!("int({a})")),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("{a} ? {b} : {c}")),
        ]
    })
}

proptest! {
    /// By precedence and brackets alone: what it means does not matter.
    #[test]
    fn any_expression_comes_back(text in any_expression()) {
        let source_of = |text: &str| format!(
            "template <typename T, int N> __device__ int f(int x, int y) {{ return x; }}
            __global__ void k(int a, int b, int* p, float4 v, float* s) {{ {text}; }}"
        );
        if let Some(first) = tree(&source_of(&text), &[]) {
            let printed = source(&first);
            let again = tree(&printed, &[]).expect("what is printed reads");
            prop_assert_eq!(source(&again), printed);
        }
    }
}
