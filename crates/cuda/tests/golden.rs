//! Every kernel that hardware has measured becomes a kernel of the intermediate representation.

use lanescope_cuda::{KernelOptions, read};
use lanescope_ir::Op;
use std::path::{Path, PathBuf};

fn sources() -> Vec<PathBuf> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut all = Vec::new();
    for folder in ["kernels", "more_kernels", "apart_kernels"] {
        let entries = std::fs::read_dir(golden.join(folder)).expect("a folder of kernels");
        all.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    all.retain(|path: &PathBuf| path.extension().is_some_and(|end| end == "cu"));
    all.sort();
    all
}

#[test]
fn measured_kernels_are_lowered() {
    let sources = sources();
    assert!(sources.len() > 400, "{}", sources.len());
    for path in sources {
        let source = std::fs::read_to_string(&path).expect("a source");
        let parsed = read(&source, &KernelOptions::default());
        let kernel = parsed
            .kernel
            .unwrap_or_else(|| panic!("{}", path.display()));
        let accesses = kernel
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .filter(|one| {
                matches!(
                    one.op,
                    Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. }
                )
            });
        assert!(accesses.count() >= kernel.sites.len(), "{}", path.display());
    }
}
