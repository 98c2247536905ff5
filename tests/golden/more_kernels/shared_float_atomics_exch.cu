__global__ void shared_float_atomics_exch(const float* in, float* out) {
  __shared__ float s[64];
  __shared__ unsigned m[16];
  int t = threadIdx.x;
  s[t] = 0.f;
  if (t < 16) m[t] = 0u;
  __syncthreads();
  float old = atomicExch(&s[(t * 5) & 63], in[blockIdx.x * 64 + t]);
  atomicXor(&m[t & 15], (unsigned)t);
  atomicMin(&m[(t >> 2) & 15], 7u);
  atomicDec(&m[t & 3], 100u);
  __syncthreads();
  out[blockIdx.x * 64 + t] = old + s[t] + m[t & 15];
}
