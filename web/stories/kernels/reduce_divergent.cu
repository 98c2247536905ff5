// One block adds 256 floats: the threads that go on stand further and further apart.
__global__ void reduce(const float* in, float* out) {
  __shared__ float sdata[256];
  int tid = threadIdx.x;
  sdata[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) { //@loop
    if (tid % (2 * s) == 0)
      sdata[tid] += sdata[tid + s]; //@add
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}
