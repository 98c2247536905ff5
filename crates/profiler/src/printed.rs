//! What the profiler prints without `--csv`: a heading for each launch, and tables of metrics below it.
//!
//! ```text
//! heading = name "(" x "," y "," z ")x(" x "," y "," z ")" ", Context " … ", CC " major "." minor ;
//! row     = metric [ unit ] value ;
//! ```
//!
//! Sections print labels beside metrics; metrics are what has `__` in its name. Other lines are logs, rules and titles.

use crate::kernel::KernelProfile;
use crate::number::value;

/// The launches of a text; none of one that has no heading.
pub(crate) fn kernels(text: &str) -> Vec<KernelProfile> {
    let mut kernels: Vec<KernelProfile> = Vec::new();
    for line in text.lines() {
        if let Some(kernel) = heading(line.trim()) {
            kernels.push(kernel);
        } else if let Some(kernel) = kernels.last_mut() {
            metric(line, kernel);
        }
    }
    kernels
}

fn heading(line: &str) -> Option<KernelProfile> {
    let (launch, place) = line.split_once(", Context ")?;
    let (_, capability) = place.split_once(", CC ")?;
    let (major, minor) = capability.trim().split_once('.')?;
    let (first, block) = launch.rsplit_once(")x(")?;
    let (name, grid) = first.rsplit_once('(')?;
    Some(KernelProfile {
        name: name.trim().to_owned(),
        grid: Some(sides(grid)?),
        block: Some(sides(block.strip_suffix(')')?)?),
        compute_capability: Some((major.parse().ok()?, minor.parse().ok()?)),
        ..KernelProfile::default()
    })
}

fn sides(text: &str) -> Option<[u32; 3]> {
    let mut sides = text.split(',').map(|side| side.trim().parse().ok());
    let found = [sides.next()??, sides.next()??, sides.next()??];
    sides.next().is_none().then_some(found)
}

fn metric(line: &str, kernel: &mut KernelProfile) {
    let mut words = line.split_whitespace();
    let Some(name) = words.next().filter(|name| name.contains("__")) else {
        return;
    };
    let (unit, number) = match (words.next(), words.next(), words.next()) {
        (Some(number), None, None) => ("", number),
        (Some(unit), Some(number), None) => (unit, number),
        _ => return,
    };
    if let Some(value) = value(number, unit) {
        kernel.metrics.insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::kernels;
    use crate::number::Value;

    #[test]
    fn headings_and_metrics_are_read_and_logs_are_not() {
        let text = "==PROF== Connected to process 1 (/a/b)
[1] b@127.0.0.1
  void tile<(int)4>(float const*, f<(int)1>) (4, 2, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.6
    Warning: a__b is no metric here at all
    Section: Command line profiler metrics
    Metric Name                                              Metric Unit Metric Value
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum                    1,024
    dram__bytes_read.sum                                           Kbyte        2.048
    sm__sass_inst_executed.sum                                                (!) n/a
    Memory Throughput                                            Gbyte/s        21.15
  second(int *) (1, 1, 1)x(32, 1, 1), Context 1, Stream 7, Device 0, CC 9.0
    smsp__inst_executed.sum inst 12";
        let [first, second] = kernels(text).try_into().unwrap();
        assert_eq!(first.name, "void tile<(int)4>(float const*, f<(int)1>)");
        assert_eq!(
            (first.grid, first.block),
            (Some([4, 2, 1]), Some([256, 1, 1]))
        );
        assert_eq!(first.compute_capability, Some((8, 6)));
        let conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
        assert_eq!(first.metric(conflicts), Some(Value::Count(1024)));
        assert_eq!(
            first.metric("dram__bytes_read.sum"),
            Some(Value::Count(2048))
        );
        assert_eq!(first.metrics.len(), 2);
        assert_eq!(
            second.metric("smsp__inst_executed.sum"),
            Some(Value::Count(12))
        );
        assert!(kernels("a, Context 1, CC 9.0\n(1)x(2), Context 1, CC x").is_empty());
    }
}
