//! Runs one experiment on the fastest adapter and prints its table:
//! `lab reduce|transpose|ceilings [SIZE]`, SIZE being a length or ROWSxCOLUMNS.

use lanescope_kernels::{Family, Problem};
use lanescope_lab::report::Outcome;
use lanescope_lab::{Experiment, Gpu, Machine, Unattended, Verifier};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let family = match arguments.next().as_deref() {
        Some("transpose") => Family::Transpose,
        Some("ceilings") => Family::Ceiling,
        _ => Family::Reduction,
    };
    let size = arguments.next().unwrap_or_else(|| "1048576".to_owned());
    let problem = match size.split_once('x') {
        Some((rows, columns)) => Problem::Matrix {
            rows: rows.parse()?,
            columns: columns.parse()?,
        },
        None => Problem::Length(size.parse()?),
    };
    pollster::block_on(run(family, problem))
}

async fn run(family: Family, problem: Problem) -> anyhow::Result<()> {
    let mut gpu = Gpu::open(None).await?;
    println!("{} ({})", gpu.card().name, gpu.card().backend);
    let experiment = Experiment::of(family, problem, &gpu.limits());
    let table = experiment
        .run(&mut gpu, &mut Verifier::default(), &Unattended)
        .await;
    for row in &table.results {
        match &row.outcome {
            Outcome::Measured {
                gigabytes_per_second,
                timing,
                ..
            } => println!(
                "{:24} {:10.3} ms {gigabytes_per_second:9.2} GB/s  spread {:.1} %",
                row.kernel,
                timing.seconds * 1e3,
                timing.spread * 100.0
            ),
            other => println!("{:24} {other:?}", row.kernel),
        }
    }
    Ok(())
}
