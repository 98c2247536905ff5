#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int tile_inclusive_scan(const cg::thread_block_tile<32> &tile, int x)
{
    for (int d = 1; d < 32; d *= 2) {
        int y = tile.shfl_up(x, d);
        if (tile.thread_rank() >= d) x += y;
    }
    return x;
}

__global__ void scan_cg_tiles(const int *input, int *output, int *totals)
{
    __shared__ int warp_totals[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);

    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = tile_inclusive_scan(tile, input[gid]);

    if (tile.thread_rank() == 31) warp_totals[threadIdx.x / 32] = mine;
    block.sync();

    if (threadIdx.x < 32) {
        int w = threadIdx.x < blockDim.x / 32 ? warp_totals[threadIdx.x] : 0;
        w = tile_inclusive_scan(tile, w);
        warp_totals[threadIdx.x] = w;
    }
    block.sync();

    if (threadIdx.x >= 32) mine += warp_totals[threadIdx.x / 32 - 1];
    output[gid] = mine;
    if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = mine;
}
