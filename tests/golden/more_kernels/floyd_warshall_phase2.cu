#define FWBLOCK 16
#define MAX_DISTANCE 0x3fffffff
__global__ void floyd_warshall_phase2(const int blockId, const int nvertex, const size_t pitch, int *const graph)
{
    // blockIdx.x skips the primary block, blockIdx.y: 0 = row of blocks, 1 = column of blocks
    int bx = blockIdx.x >= blockId ? blockIdx.x + 1 : blockIdx.x;
    const int idx = threadIdx.x, idy = threadIdx.y;
    int v1 = FWBLOCK * blockId + idy;
    int v2 = FWBLOCK * blockId + idx;

    __shared__ int cacheGraphBase[FWBLOCK][FWBLOCK];
    int cellId = v1 * pitch + v2;
    if (v1 < nvertex && v2 < nvertex)
        cacheGraphBase[idy][idx] = graph[cellId];
    else
        cacheGraphBase[idy][idx] = MAX_DISTANCE;

    if (blockIdx.y == 0) {
        v2 = FWBLOCK * bx + idx;
    } else {
        v1 = FWBLOCK * bx + idy;
    }
    __shared__ int cacheGraph[FWBLOCK][FWBLOCK];
    int currentPath = MAX_DISTANCE;
    cellId = v1 * pitch + v2;
    if (v1 < nvertex && v2 < nvertex) currentPath = graph[cellId];
    cacheGraph[idy][idx] = currentPath;
    __syncthreads();

    int newPath;
    if (blockIdx.y == 0) {
#pragma unroll
        for (int u = 0; u < FWBLOCK; ++u) {
            newPath = cacheGraphBase[idy][u] + cacheGraph[u][idx];
            if (newPath < currentPath) currentPath = newPath;
            __syncthreads();
            cacheGraph[idy][idx] = currentPath;
            __syncthreads();
        }
    } else {
#pragma unroll
        for (int u = 0; u < FWBLOCK; ++u) {
            newPath = cacheGraph[idy][u] + cacheGraphBase[u][idx];
            if (newPath < currentPath) currentPath = newPath;
            __syncthreads();
            cacheGraph[idy][idx] = currentPath;
            __syncthreads();
        }
    }
    if (v1 < nvertex && v2 < nvertex) graph[cellId] = currentPath;
}
