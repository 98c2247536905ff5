__global__ void jacobi_dynamic(const float* in, float* out, int n) {
  extern __shared__ float s[];
  const int w = blockDim.x + 2;
  int gx = blockIdx.x * blockDim.x + threadIdx.x, gy = blockIdx.y * blockDim.y + threadIdx.y;
  int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  s[ly * w + lx] = in[gy * n + gx];
  if (threadIdx.x == 0) s[ly * w] = gx > 0 ? in[gy * n + gx - 1] : 0.0f;
  if (threadIdx.x == blockDim.x - 1) s[ly * w + lx + 1] = gx < n - 1 ? in[gy * n + gx + 1] : 0.0f;
  if (threadIdx.y == 0) s[lx] = gy > 0 ? in[(gy - 1) * n + gx] : 0.0f;
  if (threadIdx.y == blockDim.y - 1) s[(ly + 1) * w + lx] = gy < n - 1 ? in[(gy + 1) * n + gx] : 0.0f;
  __syncthreads();
  out[gy * n + gx] = 0.25f * (s[ly * w + lx - 1] + s[ly * w + lx + 1] + s[(ly - 1) * w + lx] + s[(ly + 1) * w + lx]);
}
