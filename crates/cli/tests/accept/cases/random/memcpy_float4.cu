struct Vertex { float x, y, z; unsigned colour; };
__global__ void k(float* out, const Vertex* v) {
  Vertex a;
  memcpy(&a, &v[threadIdx.x], sizeof a);
  out[threadIdx.x] = a.x + a.z;
}
