__global__ void unsigned_wrap_modulo(const float* in, float* out, int n) {
  __shared__ float s[128];
  unsigned int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128u + t];
  __syncthreads();
  unsigned int a = (t - 5u) % 128u;
  int b = ((int)t - 64) / 3 + 40;
  int c = (n * (int)t) % 61;
  if (c < 0) c += 61;
  unsigned char d = (unsigned char)(t * 37);
  out[blockIdx.x * 128u + t] = s[a] + s[b] + s[c] + s[d >> 1];
}
