__global__ void radix_rank_ballot(const unsigned* __restrict__ keys, unsigned* __restrict__ ranks, int bit) {
  __shared__ unsigned warp_total[8];
  const unsigned tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
  unsigned key = keys[blockIdx.x * 256 + tid];
  unsigned pred = (key >> bit) & 1u;
  unsigned mask = __ballot_sync(0xffffffffu, pred);
  unsigned before = __popc(mask & ((1u << lane) - 1u));
  if (lane == 31) warp_total[warp] = before + pred;
  __syncthreads();
  if (tid < 8) {
    unsigned v = warp_total[tid];
#pragma unroll
    for (int d = 1; d < 8; d <<= 1) {
      unsigned u = __shfl_up_sync(0xff, v, d, 8);
      if (tid >= d) v += u;
    }
    warp_total[tid] = v;
  }
  __syncthreads();
  unsigned prefix = warp > 0 ? warp_total[warp - 1] : 0;
  ranks[blockIdx.x * 256 + tid] = prefix + before;
}
