//! A compiled file as the page opens it: `text`, a line break and the text, or `fault KEY KERNELS ARCHITECTURES` with tabs
//! between.

use lanescope_compiled::{Contents, OpenError, open};

/// What the page is told of a file.
pub(crate) fn answer(file: &[u8], listing: &str) -> String {
    match open(file, listing) {
        Ok(text) => format!("text\n{text}"),
        Err(error) => fault(&error),
    }
}

fn fault(error: &OpenError) -> String {
    let nothing = Contents::default();
    let (key, contents) = match error {
        OpenError::Foreign => ("foreign", &nothing),
        OpenError::NoGpuCode => ("no-gpu-code", &nothing),
        OpenError::Truncated => ("truncated", &nothing),
        OpenError::Layout => ("layout", &nothing),
        OpenError::Packed => ("packed", &nothing),
        OpenError::Large(contents) => ("large", contents),
        OpenError::OtherCode(contents) => ("other-code", contents),
    };
    let kernels = contents.named().replace(['\t', '\n'], " ");
    format!("fault\t{key}\t{kernels}\t{}\n", contents.generations())
}
