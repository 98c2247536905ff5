struct Particle { float px, py, pz, vx, vy, vz, m; };
__global__ void particles_struct(Particle* p, float* out, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Particle a = p[i];
  a.px += a.vx;
  a.py += a.vy;
  a.pz += a.vz;
  p[i] = a;
  out[i] = a.m;
}
