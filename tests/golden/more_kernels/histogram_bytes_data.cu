__global__ void histogram_bytes_data(const unsigned char* data, unsigned int* out, int n) {
  __shared__ unsigned int temp[256];
  temp[threadIdx.x] = 0;
  temp[threadIdx.x + 128] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int offset = blockDim.x * gridDim.x;
  while (i < n) {
    atomicAdd(&temp[data[i] + threadIdx.x % 8], 1u);
    i += offset;
  }
  __syncthreads();
  out[threadIdx.x] += temp[threadIdx.x];
}
