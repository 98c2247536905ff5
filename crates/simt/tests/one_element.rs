//! One element that all lanes of a warp share: what it costs does not depend on where it lies, so that blocks which differ
//! in that alone are alike.

use crate::support;

use lanescope_ir::{AddressSpace, BinaryOp, Operand, ScalarType, SpecialRegister};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};
use lanescope_simt::{Budget, End, execute_classes};
use support::{Builder, Keeper, LINES, row_of_blocks};

const WIDTHS: [Width; 5] = [
    Width::Bytes1,
    Width::Bytes2,
    Width::Bytes4,
    Width::Bytes8,
    Width::Bytes16,
];

/// What a device says of a request at an address, as text.
fn counts(device: &Device, request: &Request<'_>) -> String {
    match request.space {
        Space::Shared => format!("{:?}", device.shared_counts(request)),
        Space::Global => format!("{:?}", device.global_counts(request)),
    }
}

#[test]
fn an_aligned_element_costs_the_same_wherever_it_lies() {
    for device in Device::all() {
        let lanes = device.warp_lanes() as usize;
        for width in WIDTHS {
            for space in [Space::Shared, Space::Global] {
                for operation in [Operation::Load, Operation::Store] {
                    for active in [LaneMask::first(lanes), LaneMask::first(5), LaneMask(0x8040)] {
                        let at = |address: u64| {
                            let addresses = vec![address; lanes];
                            let request = Request {
                                space,
                                operation,
                                width,
                                active,
                                addresses: &addresses,
                            };
                            counts(device, &request)
                        };
                        let first = at(0);
                        for step in 0..1024 / width.bytes() {
                            let address = step * width.bytes();
                            let id = device.id();
                            assert_eq!(at(address), first, "{id} {space:?} {width:?} {address}");
                        }
                    }
                }
            }
        }
    }
}

/// How many blocks each block that runs stands for, where all threads read the element `stride` bytes times
/// `blockIdx.x` from the start.
fn classes(stride: u64) -> Vec<u64> {
    let mut builder = Builder::new();
    let start = builder.pointer("in");
    let block = builder.special(SpecialRegister::BlockIndex(0));
    let stride = Operand::Constant(stride);
    let offset = builder.binary(BinaryOp::MultiplyWide, ScalarType::U32, block, stride);
    let address = builder.binary(BinaryOp::Add, ScalarType::U64, start, offset);
    builder.load(AddressSpace::Global, address, 0);
    let launch = row_of_blocks(1000, 64);
    let mut keeper = Keeper::default();
    let budget = Budget::default();
    let kernel = &builder.kernel;
    let outcome = execute_classes(kernel, &launch, 32, budget, LINES, &mut keeper);
    assert_eq!((outcome.end, outcome.blocks_done), (End::Complete, 1000));
    let mut times: Vec<u64> = keeper.blocks.iter().map(|block| block.1).collect();
    times.sort_unstable();
    times
}

#[test]
fn blocks_that_read_one_element_each_are_one_class() {
    // Records of 20 bytes: each begins elsewhere in its line.
    assert_eq!(classes(20), [1000]);
    // At multiples of 22 bytes every other element is aligned; the rest may reach into the next sector, and repeat with
    // the line.
    let times = classes(22);
    assert_eq!((times.len(), times.last()), (1 + 32, Some(&500)));
}
