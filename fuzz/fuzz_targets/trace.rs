//! Any text is read as a trace, row by row to its end; a row asks for what a warp can ask for, and its answer agrees with
//! itself when it is read again from its mark.
#![no_main]

use lanescope_model::Device;
use lanescope_trace::{Answer, Totals, Trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let device = <&Device>::default();
    let mut trace = match Trace::open(text) {
        Ok(trace) => trace,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut totals = Totals::default();
    let mut last = trace.progress().0;
    loop {
        let mark = trace.mark();
        let Some(row) = trace.next_row(device) else {
            break;
        };
        let (read, all) = trace.progress();
        assert!(last < read && read <= all + 1, "{last} {read} {all}");
        last = read;
        let answer = Answer::of(&row, device);
        for fault in &row.faults {
            assert!(!fault.to_string().is_empty());
        }
        let again = trace
            .clone_at(mark)
            .next_row(device)
            .expect("the row is still there");
        assert_eq!(
            (again.number, again.faults.len()),
            (row.number, row.faults.len())
        );
        totals.add(&row, mark, &answer);
    }
});
