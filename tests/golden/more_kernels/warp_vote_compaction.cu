__global__ void warp_vote_compaction(const int* in, int* out, int* count) {
  __shared__ int base;
  __shared__ int offsets[4];
  int t = threadIdx.x, lane = t % 32, w = t / 32;
  int v = in[blockIdx.x * 128 + t];
  bool keep = (v + t) % 3 != 0;
  unsigned m = __ballot_sync(~0u, keep);
  if (lane == 0) offsets[w] = __popc(m);
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
      int n = offsets[i];
      offsets[i] = sum;
      sum += n;
    }
    base = blockIdx.x * 128;
    atomicAdd(count, sum);
  }
  __syncthreads();
  if (keep) out[base + offsets[w] + __popc(m & ((1u << lane) - 1))] = v;
}
