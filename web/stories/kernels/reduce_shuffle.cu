// One block adds 512 floats: inside a warp the values go from register to register.
__global__ void reduce(const float* in, float* out) {
  __shared__ float sdata[8];
  int tid = threadIdx.x;
  int i = blockIdx.x * (2 * blockDim.x) + tid;
  float sum = in[i] + in[i + blockDim.x];
  for (int s = 16; s > 0; s /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, s);
  if (tid % 32 == 0)
    sdata[tid / 32] = sum; //@put
  __syncthreads();
  if (tid < 8) {
    sum = sdata[tid]; //@get
    for (int s = 4; s > 0; s /= 2)
      sum += __shfl_down_sync(0xff, sum, s);
    if (tid == 0)
      out[blockIdx.x] = sum;
  }
}
