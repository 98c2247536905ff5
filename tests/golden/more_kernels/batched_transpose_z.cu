template <int TILE, int ROWS, int PAD>
__global__ void batched_transpose_z(const float* in, float* out, int n) {
  __shared__ float tile[TILE][TILE + PAD];
  const size_t batch = (size_t)blockIdx.z * n * n;
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = in[batch + (y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) out[batch + (y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
