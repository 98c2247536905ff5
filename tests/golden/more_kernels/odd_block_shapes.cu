__global__ void odd_block_shapes(const float* in, float* out, int w, int h) {
  __shared__ float s[10][24];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  s[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  out[y * w + x] = s[9 - threadIdx.y][23 - threadIdx.x];
}
