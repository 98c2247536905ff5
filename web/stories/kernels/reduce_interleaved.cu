// One block adds 256 floats: neighbouring threads go on, the words they add stay where they were.
__global__ void reduce(const float* in, float* out) {
  __shared__ float sdata[256];
  int tid = threadIdx.x;
  sdata[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) { //@loop
    int i = 2 * s * tid;
    if (i < blockDim.x)
      sdata[i] += sdata[i + s]; //@add
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}
