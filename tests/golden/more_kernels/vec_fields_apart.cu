__global__ void vec_fields_apart(const float4* p, float4* q, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float d = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
  q[i].x = d;
  q[i].y = 2.f * d;
  out[i] = d;
}
