__global__ void fft_radix2_double2(double2* data) {
  __shared__ double2 s[128];
  int t = threadIdx.x;
  double2* d = data + blockIdx.x * 128;
  s[__brev(t) >> 25] = d[t];
  s[__brev(t + 64) >> 25] = d[t + 64];
  __syncthreads();
  for (int m = 1; m < 128; m *= 2) {
    int j = t % m;
    int k = (t / m) * 2 * m + j;
    double sn, cs;
    sincospi(-(double)j / m, &sn, &cs);
    double2 u = s[k], w = s[k + m];
    double2 v = make_double2(w.x * cs - w.y * sn, w.x * sn + w.y * cs);
    s[k] = make_double2(u.x + v.x, u.y + v.y);
    s[k + m] = make_double2(u.x - v.x, u.y - v.y);
    __syncthreads();
  }
  d[t] = s[t];
  d[t + 64] = s[t + 64];
}
