struct Body { float x; float y; float vx; float vy; };
__global__ void struct4_shared(const float* in, float* out) {
  __shared__ Body b[128];
  int t = threadIdx.x;
  int base = blockIdx.x * 512;
  b[t].x = in[base + t];
  __syncthreads();
  b[127 - t].vx = in[base + 128 + t];
  __syncthreads();
  out[blockIdx.x * 128 + t] = b[(t + 1) % 128].x + b[(t * 3) % 128].vx;
}
