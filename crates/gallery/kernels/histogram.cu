// Where the counts land depends on the data: try bytes = 65536,iota or 65536,random.
__global__ void histogram(const unsigned char* bytes, unsigned int* counts, int n) {
  __shared__ unsigned int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[bytes[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}
