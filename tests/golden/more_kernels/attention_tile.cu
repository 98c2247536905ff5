// One block makes 32 rows of the output of one head of 16 columns.
#define D 16
#define BC 32
__global__ void attention_tile(const float* Q, const float* K, const float* V, float* O, int N) {
  __shared__ float Kj[BC * D];
  __shared__ float Vj[BC * D];
  __shared__ float S[BC][BC + 1];
  int tx = threadIdx.x;
  int off = blockIdx.y * N * D;
  int qrow = blockIdx.x * BC + tx;
  float q[D], acc[D];
  for (int d = 0; d < D; d++) {
    q[d] = Q[off + qrow * D + d];
    acc[d] = 0.f;
  }
  float m = -1e30f, l = 0.f;
  for (int j = 0; j < N; j += BC) {
    for (int d = 0; d < D; d++) {
      Kj[tx * D + d] = K[off + (j + tx) * D + d];
      Vj[tx * D + d] = V[off + (j + tx) * D + d];
    }
    __syncthreads();
    float mj = m;
#pragma unroll 1
    for (int y = 0; y < BC; y++) {
      float s = 0.f;
#pragma unroll
      for (int d = 0; d < D; d++) s += q[d] * Kj[y * D + d];
      S[tx][y] = s;
      mj = fmaxf(mj, s);
    }
    float c = __expf(m - mj);
    l *= c;
    for (int d = 0; d < D; d++) acc[d] *= c;
#pragma unroll 1
    for (int y = 0; y < BC; y++) {
      float p = __expf(S[tx][y] - mj);
      l += p;
#pragma unroll
      for (int d = 0; d < D; d++) acc[d] += p * Vj[y * D + d];
    }
    m = mj;
    __syncthreads();
  }
  for (int d = 0; d < D; d++) O[off + qrow * D + d] = acc[d] / l;
}
