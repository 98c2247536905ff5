__global__ void gradient_float3_out(const float* phi, float3* g, int n, float inv2h) {
  int x = blockIdx.x * 8 + threadIdx.x;
  int y = blockIdx.y * 4 + threadIdx.y;
  int z = blockIdx.z * 4 + threadIdx.z;
  int m = n / 2;  // the box is n x m x m/2
  int xm = x > 0 ? x - 1 : x, xp = x < n - 1 ? x + 1 : x;
  int ym = y > 0 ? y - 1 : y, yp = y < m - 1 ? y + 1 : y;
  int zm = z > 0 ? z - 1 : z, zp = z < m / 2 - 1 ? z + 1 : z;
  float3 d;
  d.x = (phi[(z * m + y) * n + xp] - phi[(z * m + y) * n + xm]) * inv2h;
  d.y = (phi[(z * m + yp) * n + x] - phi[(z * m + ym) * n + x]) * inv2h;
  d.z = (phi[(zp * m + y) * n + x] - phi[(zm * m + y) * n + x]) * inv2h;
  g[(z * m + y) * n + x] = d;
}
