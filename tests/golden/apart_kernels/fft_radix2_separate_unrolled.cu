#define N 256
__global__ void fft_radix2_separate_unrolled(float* re, float* im) {
  __shared__ float sr[N], si[N];
  const int t = threadIdx.x;
  const int base = blockIdx.x * N;
  for (int k = 0; k < 2; ++k) {
    int i = t + k * 128;
    int r = __brev(i) >> 24;
    sr[r] = re[base + i];
    si[r] = im[base + i];
  }
  __syncthreads();
  for (int len = 2; len <= N; len <<= 1) {
    int half = len >> 1;
    int pos = t % half;
    int i = (t / half) * len + pos;
    int j = i + half;
    float wr = cosf(3.14159265f * pos / half), wi = -sinf(3.14159265f * pos / half);
    float xr = sr[j] * wr - si[j] * wi;
    float xi = sr[j] * wi + si[j] * wr;
    float ur = sr[i], ui = si[i];
    sr[i] = ur + xr; si[i] = ui + xi;
    sr[j] = ur - xr; si[j] = ui - xi;
    __syncthreads();
  }
  for (int k = 0; k < 2; ++k) {
    re[base + t + k * 128] = sr[t + k * 128];
    im[base + t + k * 128] = si[t + k * 128];
  }
}
