__global__ void ternary_address_select(const float* a, const float* b, float* out) {
  __shared__ float p[96], q[96];
  int t = threadIdx.x, g = blockIdx.x * 96 + t;
  p[t] = a[g];
  q[t] = b[g];
  __syncthreads();
  const float* src = (t % 3) ? p : q;
  int j = t < 48 ? 2 * t : 191 - 2 * t;
  float v = src[j];
  v += (t & 1 ? p : q)[t];
  out[g] = v;
}
