//! Spellings of CuTe's C++ with its namespace, its copy atoms, and lines of Triton's IR that lack something.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::support;

use lanescope_layouts as layouts;
use lanescope_locale::Language;
use lanescope_model::{Device, Operation};
use support::read;

fn layout(text: &str) -> String {
    read(text).placement.unwrap().map().to_string()
}

#[test]
fn numbers_may_have_cutes_namespace() {
    for text in [
        "Layout<Shape<cute::_8, cute::_64>, Stride<cute::_64, cute::_1>>{}",
        "cute::Layout<cute::Shape<cute::Int<8>, cute::Int<64>>, cute::Stride<cute::Int<64>, cute::_1>>{}",
        "make_layout(make_shape(cute::_8{}, cute::Int<64>{}), make_stride(cute::Int<64>{}, cute::_1{}))",
        "cute::make_layout(cute::make_shape(::cute::_8{}, 64), cute::make_stride(cute::C<64>{}, cute::_1{}))",
        "(cute::Int<8>{}, cute::_64{}):(cute::_64{},cute::_1{})",
        "using L = cute::Layout<cute::Shape<cute::_8, cute::_64>, cute::Stride<cute::_64, cute::_1>>;",
    ] {
        assert_eq!(layout(text), "(8,64):(64,1)", "{text}");
    }
    let swizzled = "composition(cute::Swizzle<3,3,3>{}, cute::Layout<cute::Shape<cute::_8, cute::_64>, cute::Stride<cute::_64, cute::_1>>{})";
    assert_eq!(layout(swizzled), "Swizzle<3,3,3> o (8,64):(64,1)");
}

#[test]
fn a_namespace_before_nothing_is_wrong() {
    for text in ["cute::", "(cute::,8):(8,1)", "Shape<cute::Int>"] {
        let document = layouts::parse(text);
        assert!(!document.diagnostics.is_empty(), "{text}");
    }
}

#[test]
fn copy_atoms_are_accesses() {
    let tile = "type f16\n(32,64):(64,1)\n";
    for (atom, bytes) in [
        ("SM80_CP_ASYNC_CACHEALWAYS<cute::uint128_t>", 16),
        ("SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", 8),
        ("cute::SM80_CP_ASYNC_CACHEALWAYS<float>{}", 4),
        ("SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>", 16),
        ("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<cute::uint128_t>", 16),
        (
            "Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>, cute::half_t>{}",
            16,
        ),
        (
            "using GmemCopy = cute::Copy_Atom<cute::SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>, half_t>;",
            16,
        ),
    ] {
        let document = read(&format!("{tile}{atom}"));
        let plain = read(&format!("{tile}cp.async {bytes}"));
        assert!(document.is_accessed, "{atom}");
        let [request] = document.requests.as_slice() else {
            panic!("{atom}: {:?}", document.requests);
        };
        assert!(request.asynchronous && request.operation == Operation::Store);
        assert_eq!(request.width.bytes(), bytes, "{atom}");
        assert_eq!(request.addresses, plain.requests[0].addresses, "{atom}");
    }
    for atom in [
        "Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}",
        "cute::SM75_U32x4_LDSM_N",
        "auto copy = Copy_Atom<cute::SM75_U32x4_LDSM_N, cute::half_t>{};",
    ] {
        let document = read(&format!("{tile}{atom}"));
        let plain = read(&format!("{tile}ldmatrix.x4"));
        assert_eq!(
            document.requests[0].addresses, plain.requests[0].addresses,
            "{atom}"
        );
    }
}

const SHARED: &str =
    "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n";

/// The load of a dot's operand is not dropped unsaid.
#[test]
fn the_load_of_a_dots_operand_is_remarked_on() {
    let mma = "#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>\n";
    let alias = "#dot0 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>\n";
    for (before, encoding) in [
        (
            String::new(),
            "#ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>",
        ),
        (alias.to_owned(), "#dot0"),
    ] {
        let text = format!(
            "{SHARED}{mma}{before}%0 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, {encoding}>"
        );
        let document = read(&text);
        let [remark] = document.diagnostics.as_slice() else {
            panic!("{:?}", document.diagnostics);
        };
        assert_eq!(remark.fault, layouts::Fault::DotOperand);
        assert!(
            remark
                .fault
                .text(Language::English)
                .contains("`ldmatrix.x4`")
        );
        assert!(
            text.get(remark.span.clone())
                .unwrap()
                .contains("local_load")
        );
        let access = document.default_access(<&Device>::default());
        assert_eq!(access.as_deref(), Some("ldmatrix.x4"));
        let named = read(&format!("{text}\nldmatrix.x4"));
        assert_eq!(named.requests.len(), 1);
    }
}

/// The bases of a linear encoding span its shape, so that no `memdesc` is wanted.
#[test]
fn bases_say_the_shape() {
    let bases = "offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 2], [4, 4], [8, 8]]";
    let linear = format!("#ttg.shared_linear<{{{bases}}}, alignment = 16>");
    for text in [linear.clone(), format!("#shared = {linear}")] {
        let document = read(&text);
        let placement = document.placement.unwrap();
        assert_eq!((placement.rows(), placement.columns()), (16, 16));
        assert!(document.is_element_assumed);
        let with_shape = read(&format!("{linear} on 16x16")).placement.unwrap();
        let all = (0..256).map(|index| placement.address_of(index));
        assert!(all.eq((0..256).map(|index| with_shape.address_of(index))));
    }
    let described = format!("#shared = {linear}\n!ttg.memdesc<16x16xf16, #shared, #smem>");
    let document = read(&described);
    assert_eq!(
        (document.element_bytes, document.is_element_assumed),
        (2, false)
    );
}

#[test]
fn what_says_no_shape_is_told_what_is_missing() {
    for text in [SHARED, "#s = #ttg.padded_shared<[32:+4] {order = [1, 0]}>"] {
        let document = layouts::parse(text);
        let [missing] = document.diagnostics.as_slice() else {
            panic!("{text}: {:?}", document.diagnostics);
        };
        assert_eq!(
            missing.fault,
            layouts::Fault::EncodingWithoutShape,
            "{text}"
        );
        let said = missing.fault.text(Language::English);
        for part in [
            "shape",
            "element type",
            "`on 64x64`",
            "`type f16`",
            "`memdesc`",
        ] {
            assert!(said.contains(part), "{said}");
        }
    }
}

#[test]
fn an_element_type_that_nobody_gave_is_assumed() {
    for (text, is_assumed) in [
        ("(8,32):(32,1)", true),
        (
            "#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [32, 32]}>",
            true,
        ),
        ("type f32\n(8,32):(32,1)", false),
        (
            "Sw<3,3,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
            false,
        ),
        (
            "#s = #ttg.shared_linear<{offset = [[0, 1], [1, 0]]}>\n!ttg.memdesc<2x2xf32, #s, #smem>",
            false,
        ),
    ] {
        let document = read(text);
        assert_eq!(document.is_element_assumed, is_assumed, "{text}");
    }
}
