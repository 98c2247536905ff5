#define SECTION 256
// Brent-Kung over a section of 2 * blockDim.x elements, from the end to the front.
__global__ void suffix_sum_brent_kung(const float* x, float* y, int n) {
  __shared__ float T[SECTION];
  int start = blockIdx.x * SECTION;
  int t = threadIdx.x;
  int i0 = start + SECTION - 1 - t;
  int i1 = i0 - blockDim.x;
  T[t] = i0 < n ? x[i0] : 0.f;
  T[t + blockDim.x] = i1 < n ? x[i1] : 0.f;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (t + 1) * 2 * stride - 1;
    if (index < SECTION) T[index] += T[index - stride];
  }
  for (int stride = SECTION / 4; stride > 0; stride /= 2) {
    __syncthreads();
    int index = (t + 1) * stride * 2 - 1;
    if (index + stride < SECTION) T[index + stride] += T[index];
  }
  __syncthreads();
  if (i0 < n) y[i0] = T[t];
  if (i1 < n) y[i1] = T[t + blockDim.x];
}
