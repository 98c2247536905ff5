__global__ void divergent_switch(const float* in, float* out) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  int g = blockIdx.x * 256 + t;
  float v = in[g];
  switch (t % 4) {
    case 0: s[t] = v; break;
    case 1: s[t * 2] = v; break;
    case 2: s[t * 3] = v; break;
    default: s[t * 4] = v;
  }
  __syncthreads();
  float acc = 0.0f;
  int i = t;
  do {
    if (i % 3 == 0) { i += 1; continue; }
    acc += s[i];
    i += 37;
  } while (i < 1024);
  out[g] = acc;
}
