// One block adds 512 floats, interleaved.
__global__ void reduce(const float* in, float* out) {
  __shared__ float sdata[512];
  int tid = threadIdx.x;
  sdata[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    int i = 2 * s * tid;
    if (i < blockDim.x)
      sdata[i] += sdata[i + s]; //@add
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}
