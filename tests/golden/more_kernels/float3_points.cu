__global__ void float3_points(const float* p, float* out) {
  __shared__ float3 pts[128];
  int t = threadIdx.x;
  const float3* q = (const float3*)p;
  pts[t] = q[blockIdx.x * 128 + t];
  __syncthreads();
  float3 a = pts[t], b = pts[(t + 64) & 127];
  out[blockIdx.x * 128 + t] = a.x * b.x + a.y * b.y + a.z * b.z;
}
