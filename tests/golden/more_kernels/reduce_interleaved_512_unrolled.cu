#define TILE 512
__global__ void reduce_interleaved_512_unrolled(const float* in, float* out, int n) {
  __shared__ float tile_data[TILE];
  unsigned local_idx = threadIdx.x;
  tile_data[local_idx] = in[blockIdx.x * TILE + local_idx];
  __syncthreads();
  for (unsigned s = 1; s < TILE; s *= 2) {
    unsigned index = 2 * s * local_idx;
    if (index < TILE) tile_data[index] += tile_data[index + s];
    __syncthreads();
  }
  if (local_idx == 0) out[blockIdx.x] = tile_data[0];
}
