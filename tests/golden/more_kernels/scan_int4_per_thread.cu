__global__ void scan_int4_per_thread(const int4* __restrict__ in, int4* __restrict__ out) {
  __shared__ int sums[4];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int4 v = in[i];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  int s = v.w;
#pragma unroll
  for (int o = 1; o < 32; o <<= 1) {
    int u = __shfl_up_sync(0xffffffffu, s, o);
    if (lane >= o) s += u;
  }
  if (lane == 31) sums[warp] = s;
  __syncthreads();
  int before = s - v.w;
  for (int w = 0; w < warp; ++w) before += sums[w];
  v.x += before; v.y += before; v.z += before; v.w += before;
  out[i] = v;
}
