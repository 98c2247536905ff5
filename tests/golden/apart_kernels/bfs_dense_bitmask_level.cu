// one warp per group of vertices; a vertex joins when any frontier bit meets its adjacency row
__global__ void bfs_dense_bitmask_level(const unsigned *adjacency, const unsigned *frontier, const unsigned *visited,
                                        int *level, int nv, int words, int depth)
{
    __shared__ unsigned f[32];
    int lane = threadIdx.x;
    if (threadIdx.y == 0) f[lane] = lane < words ? frontier[lane] | (1u << lane) : 0u;
    __syncthreads();
    int first = (blockIdx.x * blockDim.y + threadIdx.y) * 25;
    for (int v = first; v < first + 25 && v < nv; ++v) {
        bool seen = (visited[v >> 5] >> (v & 31)) & 1;
        if (seen) continue;
        unsigned a = lane < words ? adjacency[v * words + lane] | (lane == v % words) << lane : 0u;
        if (__any_sync(0xffffffff, a & f[lane])) {
            if (lane == 0) level[v] = depth;
        }
    }
}
