__global__ void block_2d_odd_tile(const float* in, float* out, int n) {
  __shared__ float t[12][20];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  bool inside = x < n && y < n;
  t[threadIdx.y][threadIdx.x] = inside ? in[y * n + x] : 0.f;
  __syncthreads();
  if (inside) out[y * n + x] = t[threadIdx.y][19 - threadIdx.x] + t[11 - threadIdx.y][threadIdx.x];
}
