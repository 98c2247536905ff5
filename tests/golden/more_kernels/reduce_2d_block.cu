__global__ void reduce_2d_block(const float* image, float* partial, int width, int height) {
  __shared__ float sm[16 * 16];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int tid = threadIdx.y * blockDim.x + threadIdx.x;

  sm[tid] = (x < width && y < height) ? image[y * width + x] : 0.0f;
  __syncthreads();

  for (int s = blockDim.x * blockDim.y / 2; s > 0; s >>= 1) {
    if (tid < s) sm[tid] += sm[tid + s];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.y * gridDim.x + blockIdx.x] = sm[0];
}
