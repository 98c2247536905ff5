#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class Tile> __device__ float tile_max(Tile t, float v)
{
    for (int i = t.size() / 2; i > 0; i /= 2) v = fmaxf(v, t.shfl_xor(v, i));
    return v;
}
__global__ void cg_partition_segment_max(const float *in, float *out, int seg)
{
    __shared__ float buf[256];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    for (int i = block.thread_rank(); i < 256; i += block.size()) buf[i] = in[blockIdx.x * 256 + i];
    block.sync();
    const int group = block.thread_rank() / 8;
    float m = -INFINITY;
    for (int k = tile.thread_rank(); k < seg; k += 8) m = fmaxf(m, buf[group * seg + k]);
    m = tile_max(tile, m);
    if (tile.thread_rank() == 0) out[blockIdx.x * 16 + group] = m;
}
