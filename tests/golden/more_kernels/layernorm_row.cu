__inline__ __device__ float warpReduceSum(float val) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) val += __shfl_xor_sync(0xffffffff, val, mask, 32);
  return val;
}
__inline__ __device__ float blockReduceSum(float val) {
  static __shared__ float shared[32];
  int lane = threadIdx.x & 0x1f;
  int wid = threadIdx.x >> 5;
  val = warpReduceSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < (blockDim.x / 32.f)) ? shared[lane] : 0.0f;
  val = warpReduceSum(val);
  return val;
}
__global__ void layernorm_row(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta, float* y, int cols) {
  __shared__ float s_mean, s_var;
  const float* row = x + blockIdx.x * cols;
  float sum = 0.f;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += row[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) s_mean = sum / cols;
  __syncthreads();
  float var = 0.f;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    float d = row[i] - s_mean;
    var += d * d;
  }
  var = blockReduceSum(var);
  if (threadIdx.x == 0) s_var = rsqrtf(var / cols + 1e-5f);
  __syncthreads();
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    y[blockIdx.x * cols + i] = (row[i] - s_mean) * s_var * gamma[i] + beta[i];
}
