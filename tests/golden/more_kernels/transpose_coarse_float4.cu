__global__ void transpose_coarse_float4(const float* in, float* out, int n) {
  __shared__ float t[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  const float4 v = *(const float4*)(in + (blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x * 4);
  t[y][x * 4 + 0] = v.x;
  t[y][x * 4 + 1] = v.y;
  t[y][x * 4 + 2] = v.z;
  t[y][x * 4 + 3] = v.w;
  __syncthreads();
  float4 w;
  w.x = t[x * 4 + 0][y];
  w.y = t[x * 4 + 1][y];
  w.z = t[x * 4 + 2][y];
  w.w = t[x * 4 + 3][y];
  *(float4*)(out + (blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x * 4) = w;
}
