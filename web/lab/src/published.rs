//! What CUDA reached on an NVIDIA H200, for comparison; never mixed with the visitor's own.

/// Lines of name, milliseconds, GB/s, under a heading.
const CSV: &str = include_str!("published.csv");

/// Name, milliseconds and GB/s of each published run of an experiment.
pub(crate) fn runs(experiment: &str) -> impl Iterator<Item = [&'static str; 3]> {
    let wanted = move |name: &str| {
        let reduces = name.contains("reduce") || name.contains("sum");
        reduces == (experiment == "reduce") && experiment != "stride"
    };
    CSV.lines().skip(1).filter_map(move |line| {
        let mut cells = line.split(',');
        let row = [cells.next()?, cells.next()?, cells.next()?];
        wanted(row[0]).then_some(row)
    })
}
