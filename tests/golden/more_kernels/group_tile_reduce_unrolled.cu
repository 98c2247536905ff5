#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void group_tile_reduce_unrolled(const float* in, float* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  __shared__ float partial[4];
  float v = in[blockIdx.x * blockDim.x + block.thread_rank()];
  for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
  if (tile.thread_rank() == 0) partial[threadIdx.x / 32] = v;
  block.sync();
  if (block.thread_rank() == 0) {
    float s = 0;
    for (int w = 0; w < 4; w++) s += partial[w];
    out[blockIdx.x] = s;
  }
}
