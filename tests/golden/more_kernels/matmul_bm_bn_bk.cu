template <const int BM, const int BN, const int BK, const int TM>
__global__ void matmul_bm_bn_bk(int M, int N, int K, const float *A, const float *B, float *C) {
  const uint cRow = blockIdx.y;
  const uint cCol = blockIdx.x;
  const int threadCol = threadIdx.x % BN;
  const int threadRow = threadIdx.x / BN;
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  A += cRow * BM * K;
  B += cCol * BN;
  C += cRow * BM * N + cCol * BN;
  float threadResults[4 * TM] = {0.0f};
  for (uint bkIdx = 0; bkIdx < K; bkIdx += BK) {
    for (uint i = threadIdx.x; i < BM * BK; i += 64) As[i] = A[(i / BK) * K + i % BK];
    for (uint i = threadIdx.x; i < BK * BN; i += 64) Bs[i] = B[(i / BN) * N + i % BN];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
      float tmpB = Bs[dotIdx * BN + threadCol];
      for (uint resIdx = 0; resIdx < 4 * TM; ++resIdx) {
        threadResults[resIdx] += As[(threadRow * 4 * TM + resIdx) * BK + dotIdx] * tmpB;
      }
    }
    __syncthreads();
  }
  for (uint resIdx = 0; resIdx < 4 * TM; ++resIdx) {
    C[(threadRow * 4 * TM + resIdx) * N + threadCol] = threadResults[resIdx];
  }
}
