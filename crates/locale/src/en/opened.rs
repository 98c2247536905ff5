//! A compiled file in English.

use crate::opened::OpenedWords;

pub(crate) const WORDS: &OpenedWords = &OpenedWords {
    foreign: "This file is neither text nor what NVIDIA's compilers write; nothing was opened.",
    no_gpu_code: "This program or library has no code for an NVIDIA GPU in it.",
    truncated: "This object is damaged or cut off; copy it again.",
    of_32_bits: "This is an object of 32 bits, from before CUDA 9; compile it again.",
    packed: "None of the GPU code in this file can be unpacked: it is damaged, too large, or packed in a way that is not read here. Drop the output of `cuobjdump -sass FILE` instead, or compile with --compress-mode=none.",
    too_large: "A file of more than 64 MiB is not read here: `lanescope kernel FILE` on the command line has no such limit.",
    slow: "Reading this file took too long and was ended.",
    missing: "The reader of compiled files could not be loaded: check the network and load the page again.",
};

pub(crate) fn large(kernels: &str, architectures: &str) -> String {
    format!(
        "This file has {kernels} for {architectures}: too many to keep without a listing. Open the output of `cuobjdump -sass FILE` first, then drop the file beside it."
    )
}

pub(crate) fn other_code(kernels: &str, architectures: &str) -> String {
    format!(
        "This file has none of the listing's functions for its architecture, so nothing was taken from it; it has {kernels} for {architectures}."
    )
}
