//! Reads listings and prints what is not modelled, with how often: `cargo run --example opcodes FILE…`.

use std::collections::BTreeMap;

fn main() -> std::io::Result<()> {
    let mut messages: BTreeMap<String, usize> = BTreeMap::new();
    let mut kernels = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let parsed = lanescope_sass::read(&text, &lanescope_sass::Options::default());
        kernels += parsed.kernels.len();
        for kernel in &parsed.kernels {
            if let Err(errors) = kernel.verify() {
                println!("{path}: {:?}", errors.first());
            }
        }
        for diagnostic in parsed.diagnostics {
            *messages.entry(diagnostic.fault.to_string()).or_default() += 1;
        }
    }
    for (message, files) in messages {
        println!("{files:5} {message}");
    }
    println!("{kernels} kernels");
    Ok(())
}
