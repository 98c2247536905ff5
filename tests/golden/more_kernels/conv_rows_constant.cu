#define R 4
__constant__ float taps[2 * R + 1];
__global__ void conv_rows_constant(const float* in, float* out, int w) {
  __shared__ float row[4][64 + 2 * R];
  const int pitch = w + 16;
  const int x0 = blockIdx.x * 64, y = blockIdx.y * 4 + threadIdx.y;
  for (int i = threadIdx.x; i < 64 + 2 * R; i += blockDim.x) row[threadIdx.y][i] = in[y * pitch + x0 + i];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = -R; k <= R; k++) sum += taps[R + k] * row[threadIdx.y][threadIdx.x + R + k];
  out[y * w + x0 + threadIdx.x] = sum;
}
