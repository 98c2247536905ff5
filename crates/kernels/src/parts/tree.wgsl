
// The tree, every step written out: the sum over the workgroup, in sums[0].
fn block_sum(tid: u32, value: Element) {
    sums[tid] = value;
    workgroupBarrier();
    if BLOCK >= 1024u {
        if tid < 512u {
            sums[tid] += sums[tid + 512u];
        }
        workgroupBarrier();
    }
    if BLOCK >= 512u {
        if tid < 256u {
            sums[tid] += sums[tid + 256u];
        }
        workgroupBarrier();
    }
    if BLOCK >= 256u {
        if tid < 128u {
            sums[tid] += sums[tid + 128u];
        }
        workgroupBarrier();
    }
    if BLOCK >= 128u {
        if tid < 64u {
            sums[tid] += sums[tid + 64u];
        }
        workgroupBarrier();
    }
    if tid < 32u {
        sums[tid] += sums[tid + 32u];
    }
    workgroupBarrier();
    if tid < 16u {
        sums[tid] += sums[tid + 16u];
    }
    workgroupBarrier();
    if tid < 8u {
        sums[tid] += sums[tid + 8u];
    }
    workgroupBarrier();
    if tid < 4u {
        sums[tid] += sums[tid + 4u];
    }
    workgroupBarrier();
    if tid < 2u {
        sums[tid] += sums[tid + 2u];
    }
    workgroupBarrier();
    if tid < 1u {
        sums[tid] += sums[tid + 1u];
    }
    workgroupBarrier();
}
