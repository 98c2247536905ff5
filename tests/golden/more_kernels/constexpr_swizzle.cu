constexpr int kTile = 32;
constexpr __device__ __host__ int swz(int row, int col) { return row * kTile + (col ^ row); }
template <typename T>
__global__ void constexpr_swizzle_impl(const T* in, T* out, int n);
__global__ void constexpr_swizzle(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[kTile * kTile];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += 8) tile[swz(threadIdx.y + j, threadIdx.x)] = in[(y + j) * n + x];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kTile; j += 8)
    out[(blockIdx.x * kTile + threadIdx.y + j) * n + blockIdx.y * kTile + threadIdx.x] = tile[swz(threadIdx.x, threadIdx.y + j)];
}
