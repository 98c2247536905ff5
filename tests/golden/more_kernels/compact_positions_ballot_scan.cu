// keep elements whose hashed position is a multiple of three: warp ballots, then the warp totals scanned by thread 0
__global__ void compact_positions_ballot_scan(const int *keys, int *out, int *counts)
{
    __shared__ int warp_off[6];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int key = keys[i];
    const bool keep = (key + i * 7 + 1) % 3 == 0;
    const unsigned vote = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) warp_off[warp] = __popc(vote);
    __syncthreads();
    if (threadIdx.x == 0) {
        int run = 0;
        for (int w = 0; w < 5; ++w) {
            int c = warp_off[w];
            warp_off[w] = run;
            run += c;
        }
        warp_off[5] = run;
        counts[blockIdx.x] = run;
    }
    __syncthreads();
    if (keep) {
        int slot = warp_off[warp] + __popc(vote & ((1u << lane) - 1));
        out[blockIdx.x * blockDim.x + slot] = key + i;
    }
}
