// One block adds 512 floats: each thread adds two while it fills the array.
__global__ void reduce(const float* in, float* out) {
  __shared__ float sdata[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * (2 * blockDim.x) + tid;
  sdata[tid] = in[i] + in[i + blockDim.x]; //@fill
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) { //@loop
    if (tid < s)
      sdata[tid] += sdata[tid + s]; //@add
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}
