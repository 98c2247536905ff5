__device__ int warp_scan(int v, int lane) {
#pragma unroll
  for (int o = 1; o < 32; o <<= 1) {
    int n = __shfl_up_sync(0xffffffff, v, o);
    if (lane >= o) v += n;
  }
  return v;
}
__global__ void prefix_sum_two_level(const int* in, int* out, int* sums) {
  __shared__ int ws[32];
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  int v = warp_scan(in[blockIdx.x * blockDim.x + threadIdx.x], lane);
  if (lane == 31) ws[wid] = v;
  __syncthreads();
  if (wid == 0) {
    int s = lane < blockDim.x / 32 ? ws[lane] : 0;
    ws[lane] = warp_scan(s, lane);
  }
  __syncthreads();
  if (wid > 0) v += ws[wid - 1];
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = v;
}
