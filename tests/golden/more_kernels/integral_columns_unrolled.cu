__global__ void integral_columns_unrolled(float* img, int w, int h) {
  __shared__ float carry[4][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int rows = h / blockDim.y;
  int y0 = threadIdx.y * rows;
  float sum = 0;
  for (int y = y0; y < y0 + rows; y++) sum += img[y * w + x];
  carry[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  float before = 0;
  for (int k = 0; k < threadIdx.y; k++) before += carry[k][threadIdx.x];
  for (int y = y0; y < y0 + rows; y++) {
    before += img[y * w + x];
    img[y * w + x] = before;
  }
}
