#define SECTION 256
__global__ void scan_brent_kung(float* in, float* out) {
  __shared__ float XY[SECTION];
  unsigned int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  XY[threadIdx.x] = in[i];
  XY[threadIdx.x + blockDim.x] = in[i + blockDim.x];
  for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned int index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < SECTION) XY[index] += XY[index - stride];
  }
  for (int stride = SECTION / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index + stride < SECTION) XY[index + stride] += XY[index];
  }
  __syncthreads();
  out[i] = XY[threadIdx.x];
  out[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}
