__global__ void k(float* out, const float* in) {
  float a[2][3];
  int t = threadIdx.x;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x) a[y][x] = in[y * 96 + x * 32 + t];
  out[t] = a[1][0] + a[0][2];
}
