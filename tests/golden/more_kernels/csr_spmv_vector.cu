__global__ void csr_spmv_vector(const int* ptr, const int* cols, const float* vals, const float* x, float* y, int rows) {
  __shared__ volatile float sdata[128];
  int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
  int warp_id = thread_id / 32;
  int lane = thread_id & 31;
  if (warp_id < rows) {
    int row_start = ptr[warp_id], row_end = ptr[warp_id + 1];
    float sum = 0;
    for (int jj = row_start + lane; jj < row_end; jj += 32) sum += vals[jj] * x[cols[jj]];
    sdata[threadIdx.x] = sum;
    if (lane < 16) sdata[threadIdx.x] = sum = sum + sdata[threadIdx.x + 16];
    if (lane < 8) sdata[threadIdx.x] = sum = sum + sdata[threadIdx.x + 8];
    if (lane < 4) sdata[threadIdx.x] = sum = sum + sdata[threadIdx.x + 4];
    if (lane < 2) sdata[threadIdx.x] = sum = sum + sdata[threadIdx.x + 2];
    if (lane < 1) sdata[threadIdx.x] = sum = sum + sdata[threadIdx.x + 1];
    if (lane == 0) y[warp_id] += sdata[threadIdx.x];
  }
}
