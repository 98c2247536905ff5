//! Whole launches: what was asked, how long counting them may take, and what an H200 counted and took for them.

use lanescope_query::{Analysis, Question, analyse};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::Totals;

/// Requests that a launch may take, as on the command line.
const MAX_REQUESTS: u64 = 100_000_000;

/// A launch of a kernel beside this file.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    source: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    /// As `name=value name=value`.
    arguments: &'static str,
    /// How long its count may take: several times what it takes on two quiet cores, so that a busy machine keeps within
    /// it. From the histogram on, data decides what blocks do.
    pub(crate) budget_ms: f64,
    /// The launch on an NVIDIA H200 (`bench/h200/launches.cu`, nvcc 13 `-O3 -arch=sm_90`, median of 15, 2026-11-23); the
    /// last three on an H100 (2026-11-25).
    pub(crate) gpu_ms: f64,
    /// The profiler's counters of that launch: wavefronts by address alone
    /// (`sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum`), requests and sectors of
    /// `l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_{ld,st,red}.sum`. The profiler has no counter of atomics on
    /// shared memory by address alone: the histogram's 6,611,824 stand for 7,008,911 counted with arbitration (where a
    /// warp has a block to itself the two agree, as a test has it).
    pub(crate) measured: Totals,
}

impl Case {
    /// Counts the whole launch as nvcc 13 compiles it.
    pub(crate) fn analyse(&self) -> Analysis {
        let state = State {
            source: Source::Kernel(self.source.to_owned()),
            launch: Launch {
                grid: self.grid,
                block: self.block,
                arguments: given(self.arguments),
                ..Launch::default()
            },
            ..State::default()
        };
        analyse(Question::of(&state, MAX_REQUESTS).expect("a question"))
    }
}

/// Arguments as `name=value name=value`.
pub(crate) fn given(arguments: &str) -> Vec<(String, String)> {
    let arguments = arguments.split_whitespace().map(|argument| {
        let (name, value) = argument.split_once('=').expect("a name and a value");
        (name.to_owned(), value.to_owned())
    });
    arguments.collect()
}

/// No request of any kind.
const NONE: Totals = Totals {
    shared_load_wavefronts: 0,
    shared_load_bank_conflicts: 0,
    shared_store_wavefronts: 0,
    shared_store_bank_conflicts: 0,
    shared_atomic_wavefronts: 0,
    matrix_load_wavefronts: 0,
    matrix_store_wavefronts: 0,
    async_copy_wavefronts: 0,
    global_load_requests: 0,
    global_load_sectors: 0,
    global_store_requests: 0,
    global_store_sectors: 0,
    global_reduction_requests: 0,
    global_reduction_sectors: 0,
    global_atomic_requests: 0,
    global_atomic_sectors: 0,
};

/// The launches, smallest first.
pub(crate) const CASES: [Case; 12] = [
    Case {
        name: "sgemm 256^3",
        source: include_str!("../sgemm.cu"),
        grid: [4, 4, 1],
        block: [512, 1, 1],
        arguments: "m=256 n=256 k=256 alpha=1 beta=1 a=65536 b=65536 c=65536",
        budget_ms: 300.0,
        gpu_ms: 0.0272,
        measured: Totals {
            shared_load_wavefronts: 327_680,
            shared_store_wavefronts: 16_384,
            global_load_requests: 18_432,
            global_load_sectors: 73_728,
            global_store_requests: 2_048,
            global_store_sectors: 8_192,
            ..NONE
        },
    },
    Case {
        name: "sgemm 1024^3",
        source: include_str!("../sgemm.cu"),
        grid: [16, 16, 1],
        block: [512, 1, 1],
        arguments: "m=1024 n=1024 k=1024 alpha=1 beta=1 a=1048576 b=1048576 c=1048576",
        budget_ms: 300.0,
        gpu_ms: 0.127,
        measured: Totals {
            shared_load_wavefronts: 20_971_520,
            shared_store_wavefronts: 1_048_576,
            global_load_requests: 1_081_344,
            global_load_sectors: 4_325_376,
            global_store_requests: 32_768,
            global_store_sectors: 131_072,
            ..NONE
        },
    },
    Case {
        name: "sgemm 4096^3",
        source: include_str!("../sgemm.cu"),
        grid: [64, 64, 1],
        block: [512, 1, 1],
        arguments: "m=4096 n=4096 k=4096 alpha=1 beta=1 a=16777216 b=16777216 c=16777216",
        budget_ms: 300.0,
        gpu_ms: 8.01,
        measured: Totals {
            shared_load_wavefronts: 1_342_177_280,
            shared_store_wavefronts: 67_108_864,
            global_load_requests: 67_633_152,
            global_load_sectors: 270_532_608,
            global_store_requests: 524_288,
            global_store_sectors: 2_097_152,
            ..NONE
        },
    },
    Case {
        name: "reduction 2^28",
        source: include_str!("../reduce.cu"),
        grid: [1056, 1, 1],
        block: [256, 1, 1],
        arguments: "in=268435456 out=1056 n=268435456",
        budget_ms: 100.0,
        gpu_ms: 0.429,
        measured: Totals {
            shared_load_wavefronts: 26_400,
            shared_store_wavefronts: 21_120,
            global_load_requests: 8_388_608,
            global_load_sectors: 33_554_432,
            global_store_requests: 1_056,
            global_store_sectors: 1_056,
            ..NONE
        },
    },
    Case {
        name: "transpose 16384^2",
        source: include_str!("../transpose.cu"),
        grid: [512, 512, 1],
        block: [32, 8, 1],
        arguments: "in=268435456 out=268435456 side=16384",
        budget_ms: 100.0,
        gpu_ms: 0.612,
        measured: Totals {
            shared_load_wavefronts: 8_388_608,
            shared_store_wavefronts: 8_388_608,
            global_load_requests: 8_388_608,
            global_load_sectors: 33_554_432,
            global_store_requests: 8_388_608,
            global_store_sectors: 33_554_432,
            ..NONE
        },
    },
    Case {
        name: "stencil 512^3",
        source: include_str!("../stencil.cu"),
        grid: [16, 64, 512],
        block: [32, 8, 1],
        arguments: "in=134217728 out=134217728 nx=512 ny=512 nz=512",
        budget_ms: 100.0,
        gpu_ms: 0.484,
        measured: Totals {
            global_load_requests: 29_131_200,
            global_load_sectors: 124_327_800,
            global_store_requests: 4_161_600,
            global_store_sectors: 16_646_400,
            ..NONE
        },
    },
    Case {
        name: "softmax 8192x50257",
        source: include_str!("../softmax.cu"),
        grid: [8192, 1, 1],
        block: [1024, 1, 1],
        arguments: "in=411705344 out=411705344 columns=50257",
        budget_ms: 500.0,
        gpu_ms: 2.62,
        measured: Totals {
            shared_load_wavefronts: 524_288,
            shared_store_wavefronts: 524_288,
            global_load_requests: 38_608_896,
            global_load_sectors: 188_172_288,
            global_store_requests: 12_869_632,
            global_store_sectors: 62_724_096,
            ..NONE
        },
    },
    Case {
        name: "histogram 2^26",
        source: include_str!("../histogram.cu"),
        grid: [1056, 1, 1],
        block: [256, 1, 1],
        arguments: "in=67108864,random:1 counts=256 n=67108864",
        budget_ms: 4_000.0,
        gpu_ms: 0.114,
        measured: Totals {
            shared_load_wavefronts: 8_448,
            shared_store_wavefronts: 8_448,
            shared_atomic_wavefronts: 6_611_824,
            global_load_requests: 2_097_152,
            global_load_sectors: 8_388_608,
            global_reduction_requests: 8_448,
            global_reduction_sectors: 33_792,
            ..NONE
        },
    },
    Case {
        name: "rows 1056x100",
        source: include_str!("../rows.cu"),
        grid: [1056, 1, 1],
        block: [256, 1, 1],
        arguments: "table=262144 order=105600,random:1 out=270336 count=100",
        budget_ms: 4_000.0,
        gpu_ms: 0.046,
        measured: Totals {
            shared_load_wavefronts: 2_534_400,
            shared_load_bank_conflicts: 844_800,
            shared_store_wavefronts: 844_800,
            global_load_requests: 1_689_600,
            global_load_sectors: 4_224_000,
            global_store_requests: 8_448,
            global_store_sectors: 33_792,
            ..NONE
        },
    },
    Case {
        name: "gather 2^25",
        source: include_str!("../gather.cu"),
        grid: [131_072, 1, 1],
        block: [256, 1, 1],
        arguments: "in=1048576 order=33554432,random:1 out=33554432 n=33554432",
        budget_ms: 3_000.0,
        gpu_ms: 0.281,
        measured: Totals {
            global_load_requests: 2_097_152,
            global_load_sectors: 37_744_756,
            global_store_requests: 1_048_576,
            global_store_sectors: 4_194_304,
            ..NONE
        },
    },
    Case {
        name: "scatter 2^25",
        source: include_str!("../scatter.cu"),
        grid: [131_072, 1, 1],
        block: [256, 1, 1],
        arguments: "in=33554432,random:1 counts=256 n=33554432",
        budget_ms: 5_000.0,
        gpu_ms: 8.65,
        measured: Totals {
            global_load_requests: 1_048_576,
            global_load_sectors: 4_194_304,
            global_reduction_requests: 1_048_576,
            global_reduction_sectors: 23_722_016,
            ..NONE
        },
    },
    Case {
        name: "spmv 2^20",
        source: include_str!("../spmv.cu"),
        grid: [4_096, 1, 1],
        block: [256, 1, 1],
        arguments: "lengths=1048576,random:2 columns=33554432,random:1 values=33554432 x=1048576 y=1048576 rows=1048576",
        budget_ms: 6_000.0,
        gpu_ms: 0.176,
        measured: Totals {
            global_load_requests: 3_074_681,
            global_load_sectors: 25_698_117,
            global_store_requests: 32_768,
            global_store_sectors: 131_072,
            ..NONE
        },
    },
];
