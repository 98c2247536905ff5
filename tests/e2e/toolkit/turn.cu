// A tile of 32 by 32 turned over its diagonal: its columns lie in one bank.
__global__ void turn(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
void run(float* out, const float* in) {
  turn<<<dim3(4, 4), dim3(32, 32)>>>(out, in, 128);
}
