struct Particle { float x, y, z; };
__global__ void struct_shared(const float* in, float* out) {
  __shared__ Particle p[128];
  int t = threadIdx.x;
  int base = blockIdx.x * 384;
  p[t].x = in[base + t];
  p[t].y = in[base + 128 + t];
  p[t].z = in[base + 256 + t];
  __syncthreads();
  int q = 127 - t;
  out[blockIdx.x * 128 + t] = p[q].x * p[q].y + p[q].z;
}
