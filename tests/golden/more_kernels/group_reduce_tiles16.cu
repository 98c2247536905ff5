#include <cooperative_groups.h>
using namespace cooperative_groups;
__device__ int tile_sum(thread_block_tile<16> g, int v) {
  for (int i = g.size() / 2; i > 0; i /= 2) v += g.shfl_down(v, i);
  return v;
}
__global__ void group_reduce_tiles16(const int* in, int* out) {
  thread_block b = this_thread_block();
  auto g = tiled_partition<16>(b);
  int v = in[b.group_index().x * b.size() + b.thread_rank()];
  int s = tile_sum(g, v);
  if (g.thread_rank() == 0) out[blockIdx.x * 4 + b.thread_rank() / 16] = s;
}
