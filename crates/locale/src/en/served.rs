//! A served page in English.

use crate::served::ServedWords;

pub(crate) const WORDS: &ServedWords = &ServedWords {
    no_compiler: "No nvcc on this machine: numbers stay predicted. pip install 'lanescope[nvcc]' gives one.",
    compiler: "nvcc: {path}",
    other_compiler: "{name} at {path}: found, not run",
    flags: "nvcc flags",
    save_to: "Save to {file}",
    saved: "Saved.",
    changed: "The file has changed on disk; open it again.",
    nothing: "Type a CUDA kernel: what nvcc makes of it is counted.",
    compiling: "nvcc compiles …",
    counted: "Counted in the SASS that nvcc made.",
    refused: "nvcc refuses this source.",
    lost: "The server has stopped.",
    line: "line {line}",
};
