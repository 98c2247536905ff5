__global__ void odd_3d_block_24x7x3(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float s[3][7][24];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  const int i = (z * ny + y) * nx + x;
  s[threadIdx.z][threadIdx.y][threadIdx.x] = in[i];
  __syncthreads();
  const int zz = 2 - threadIdx.z, yy = 6 - threadIdx.y, xx = (threadIdx.x * 5) % 24;
  out[i] = s[zz][yy][threadIdx.x] + s[threadIdx.z][yy][xx];
}
