__global__ void __launch_bounds__(32) k349(float* out, const int* in, int* out2, int n, int m) {
  const int t = threadIdx.x;
  float acc = 0;
  for (int i = 0; i < 3; ++i) { for (int j = 0; j < 4; ++j) { if ((i + j) % 2 == 0) continue; acc += in[i * 64 + j * 2 + t]; } }
  __shared__ __align__(16) float rc1_349[1024]; for (int k = t; k < 1024; k += 32) rc1_349[k] = k; __syncthreads(); { float4 q = *reinterpret_cast<float4*>(&rc1_349[(t * 20) & 1020]); acc += q.x + q.z; unsigned b = *reinterpret_cast<unsigned*>(&rc1_349[(t * 1) & 1023]); acc += b & 1; }
  out[blockIdx.x * 32 + t] = acc;
}
