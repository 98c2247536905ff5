__device__ float3 interact(float4 a, float4 b, float3 f) {
  float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
  float inv = rsqrtf(d2);
  float s = b.w * inv * inv * inv;
  f.x += dx * s;
  f.y += dy * s;
  f.z += dz * s;
  return f;
}
__global__ void nbody_tile_unrolled(const float4* pos, float4* acc, int n) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = pos[i];
  float3 f = {0.0f, 0.0f, 0.0f};
  for (int t = 0; t < n; t += blockDim.x) {
    tile[threadIdx.x] = pos[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) f = interact(me, tile[j], f);
    __syncthreads();
  }
  acc[i] = make_float4(f.x, f.y, f.z, 0.0f);
}
