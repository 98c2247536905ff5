// The reader chooses where a value waits in the tile and where it is fetched.
__global__ void transpose(const int* in, int* out) {
  __shared__ int tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  {store} = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = {load};
}
