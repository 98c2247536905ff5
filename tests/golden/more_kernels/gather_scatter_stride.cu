typedef unsigned int u32;
struct __align__(8) Pair { int key; float value; };
__global__ void gather_scatter_stride(const float* in, float* out, u32 stride) {
  __shared__ Pair p[256];
  u32 t = threadIdx.x;
  u32 g = blockIdx.x * 256 + t;
  Pair mine;
  mine.key = (int)t;
  mine.value = in[g * stride];
  p[(t * 7) & 255] = mine;
  __syncthreads();
  Pair other = p[t ^ 1];
  out[g * 4 + 1] = other.value + (float)other.key;
}
