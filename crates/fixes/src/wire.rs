//! Advice as bytes: a worker's answer to its page.

use lanescope_wire::{Wire, wire_enums, wire_structs};

use crate::{
    Advice, ArrayAdvice, Edit, FixKind, GlobalTotals, LinearSwizzle, Note, Occupancy, Place,
    Progress, Proof, Rise, Shape, SharedTotals, Source, Suggestion, TileLayout, Totals,
};

wire_structs! {
    Advice { blocks, launch, now, arrays, suggestions, notes }
    ArrayAdvice { name, shape, now, bound, tried }
    Edit { span, replacement }
    GlobalTotals { requests, units, ideal }
    Occupancy { shared_bytes, fits, blocks, warps }
    Progress { done, planned }
    Rise { line, from, to }
    SharedTotals { requests, wavefronts, ideal, ways }
    Suggestion {
        kind, array, snippet, edits, source, launch, array_totals, banks, totals, occupancy,
        instructions, raises, is_launched_in_text, proof, layouts
    }
    TileLayout { array, cute, cute_dsl, triton }
    Totals { shared, global }
}

wire_enums! {
    FixKind {
        Place { 0: a }, Narrowed { 0: a }, SplitShared, SplitGlobal, Sequential, SwapAxes, Stage,
        AlignStructure { bytes: a }, AlignBase, Pitch { arrays: a, from: b, to: c }, Widen { bytes: a },
        Together { 0: a }, BlockShape { width: a }, SwapInvocations,
        FirstAdd, WarpShuffle, LoopOrder,
    }
    Note {
        NothingToFix, DataDependent { array: a }, NotRewritable { array: a },
        Bound { array: a, wavefronts: b }, NothingFound { array: a, tried: b },
        NoneBetter { array: a, wavefronts: b, pitches: c },
        UnusedPadding { array: a, declared: b, used: c },
        SectorsWasted { units: a, ideal: b }, Unknown { 0: a }, Errors, Stopped,
        SeveralInstances, OnlyInC, SeveralEntryPoints, ParametersKept,
        PointerKept { array: a, pointer: b }, SizeKept { array: a, pointer: b },
    }
    Place {
        AsIs, Pad { dimension: a, elements: b }, PadEvery { group: a, elements: b },
        Swizzle { 0: a }, RowXor { divisor: a, modulus: b, shift: c }, Transposed, Linear { 0: a },
    }
    Proof { SameAccesses, SameElements, ThreadsExchanged, SameSums, SameResults }
    Source {
        Kernel { text: a, options: b },
        Expression { declarations: a, accesses: b, bare: c },
    }
}

impl Wire for LinearSwizzle {
    fn put(&self, out: &mut Vec<u8>) {
        let columns: Vec<u64> = self.columns().iter().map(|one| u64::from(*one)).collect();
        columns.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let columns: Vec<u64> = Wire::take(input)?;
        Self::new(&columns)
    }
}

impl Wire for Shape {
    fn put(&self, out: &mut Vec<u8>) {
        self.extents().to_vec().put(out);
        self.element_bytes().put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let (extents, element_bytes): (Vec<u64>, u64) = Wire::take(input)?;
        Self::new(&extents, element_bytes)
    }
}
