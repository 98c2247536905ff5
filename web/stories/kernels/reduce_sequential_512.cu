// One block adds 512 floats, sequentially.
__global__ void reduce(const float* in, float* out) {
  __shared__ float sdata[512];
  int tid = threadIdx.x;
  sdata[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s)
      sdata[tid] += sdata[tid + s]; //@add
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}
