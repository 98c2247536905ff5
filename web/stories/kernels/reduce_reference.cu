// The same sum, the sequential way.
__global__ void reduce(const int* in, int* out) {
  __shared__ int sdata[256];
  int tid = threadIdx.x;
  sdata[tid] = in[tid];
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (tid < s) sdata[tid] += sdata[tid + s]; //@add
    __syncthreads();
  }
  if (tid == 0)
    out[0] = sdata[0];
}
