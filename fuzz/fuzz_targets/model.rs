//! Any request to any device is answered as the definitions have it, and the report agrees with the counts.
#![no_main]

#[path = "../../crates/model/tests/oracle/mod.rs"]
mod oracle;

use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Unstructured::new(bytes);
    let Ok((device, header, addresses)) = request(&mut input) else {
        return;
    };
    let request = Request {
        addresses: &addresses,
        ..header
    };
    let shared = device.shared_counts(&request);
    let report = device.shared_report(&request).map(|report| report.counts);
    assert_eq!(shared, report);
    let expected =
        oracle::shared(device.id(), &request).map(|counts| (counts.wavefronts, counts.least));
    let found = shared
        .ok()
        .map(|counts| (counts.wavefronts, counts.wavefronts_least));
    assert_eq!(found, expected);
    let global = device.global_counts(&request);
    let report = device.global_report(&request).map(|report| report.counts);
    assert_eq!(global, report);
    let expected = oracle::global(device.id(), &request).map(|counts| (counts.units, counts.moved));
    let found = global.ok().map(|counts| (counts.units, counts.bytes_moved));
    assert_eq!(found, expected);
});

/// A device, a request without addresses, and its addresses.
fn request(input: &mut Unstructured<'_>) -> Result<(&'static Device, Request<'static>, Vec<u64>)> {
    let device = input.choose(Device::all())?;
    let matrices = input.arbitrary()?;
    let header = Request {
        space: *input.choose(&[Space::Shared, Space::Global])?,
        operation: *input.choose(&[
            Operation::Load,
            Operation::Store,
            Operation::Atomic,
            Operation::Reduction,
            Operation::MatrixLoad { matrices },
            Operation::MatrixStore { matrices },
        ])?,
        width: *input.choose(&[
            Width::Bytes1,
            Width::Bytes2,
            Width::Bytes4,
            Width::Bytes8,
            Width::Bytes16,
        ])?,
        active: LaneMask(input.arbitrary()?),
        addresses: &[],
    };
    let base: u64 = if input.ratio(1, 4)? {
        input.arbitrary()?
    } else {
        0
    };
    let unit: u64 = if input.ratio(3, 4)? {
        header.width.bytes()
    } else {
        1
    };
    let addresses = (0..input.int_in_range(0..=70)?)
        .map(|_| Ok(base.wrapping_add(u64::from(input.arbitrary::<u16>()?) * unit)))
        .collect::<Result<_>>()?;
    Ok((device, header, addresses))
}
