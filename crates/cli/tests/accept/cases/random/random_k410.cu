union U1_410 { float f; unsigned u; unsigned char c[4]; };
__global__ void k410(int* __restrict__ out, const int* __restrict__ in, int* __restrict__ out2, int n, int m) {
  const int t = threadIdx.x + threadIdx.y * blockDim.x;
  int acc = 0;
  __shared__ U1_410 us2_410[128]; us2_410[t & 127].u = t * 3; __syncthreads(); acc += us2_410[(t + 5) & 127].f;
  __shared__ __align__(16) float rc3_410[1024]; for (int k = t; k < 1024; k += 64) rc3_410[k] = k; __syncthreads(); { float4 q = *reinterpret_cast<float4*>(&rc3_410[(t * 4) & 1020]); acc += q.x + q.z; unsigned b = *reinterpret_cast<unsigned*>(&rc3_410[(t * 1) & 1023]); acc += b & 1; }
  out[(blockIdx.x + blockIdx.y * gridDim.x) * (blockDim.x * blockDim.y * blockDim.z) + t] = acc;
}
