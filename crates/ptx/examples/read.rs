//! Reads PTX files and prints what is said of them.
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let started = std::time::Instant::now();
        match lanescope_ptx::read(&text, None) {
            Ok(lowered) => {
                let kernel = &lowered.kernel;
                println!(
                    "{path}: {} blocks {} sites {} registers {:?}",
                    kernel.blocks.len(),
                    kernel.sites.len(),
                    kernel.registers.len(),
                    started.elapsed()
                );
                if let Err(errors) = kernel.verify() {
                    println!("    VERIFY {} {:?}", errors.len(), errors.first());
                }
                for diagnostic in lowered.diagnostics.as_slice() {
                    println!("    {:?} {}", diagnostic.severity, diagnostic.message);
                }
            }
            Err(error) => println!("{path}: {error}"),
        }
    }
}
