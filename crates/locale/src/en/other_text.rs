//! Texts that are not the compiled code that was expected, in English.

use crate::other_text::OtherText;

pub(crate) const fn text(kind: OtherText) -> &'static str {
    match kind {
        OtherText::Empty => "the listing is empty",
        OtherText::Ptx => "this is PTX, not SASS",
        OtherText::Sass => "this is SASS, not PTX",
        OtherText::AmdAssembly => "this is AMD's assembly, which is not read yet",
        OtherText::Llvm => {
            "this is LLVM's intermediate representation, which is not read; `llc` makes PTX of it"
        }
        OtherText::Mlir => {
            "this is MLIR, which is not read; Triton's `asm['ptx']` and `asm['sass']` are"
        }
        OtherText::Cuda => "this is CUDA C++, not PTX",
        OtherText::Wgsl => "this is WGSL, not PTX",
        OtherText::Encodings => {
            "this holds encodings only; `cuobjdump -sass` and `nvdisasm` print the instructions"
        }
        OtherText::NoPtx => "this is not PTX: no directive or instruction of PTX is in it",
        OtherText::NoSass => {
            "no SASS instruction in the text; it is read as `cuobjdump -sass` and `nvdisasm` print it"
        }
    }
}
