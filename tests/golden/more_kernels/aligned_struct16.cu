struct __align__(16) Particle {
  float x, y, z, mass;
  int id, cell, next, pad;
};
__global__ void aligned_struct16(const Particle* p, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Particle& q = p[i];
  out[i] = q.x + q.mass + q.cell;
}
