// A torus of 32 x 8 cells a block, several generations in shared memory.
__global__ void life_pingpong_generations(const unsigned char *board, unsigned char *next, int generations)
{
    __shared__ int gridA[8][32];
    __shared__ int gridB[8][32];
    int (*cur)[32] = gridA;
    int (*nxt)[32] = gridB;
    const int x = threadIdx.x, y = threadIdx.y;
    const int base = (blockIdx.y * gridDim.x + blockIdx.x) * 256;
    cur[y][x] = board[base + y * 32 + x];
    __syncthreads();
    for (int g = 0; g < generations; g++) {
        int xl = (x + 31) % 32, xr = (x + 1) % 32;
        int yu = (y + 7) % 8, yd = (y + 1) % 8;
        int n = cur[yu][xl] + cur[yu][x] + cur[yu][xr] + cur[y][xl] + cur[y][xr] + cur[yd][xl] + cur[yd][x] + cur[yd][xr];
        nxt[y][x] = n == 3 || (n == 2 && cur[y][x]);
        __syncthreads();
        int (*t)[32] = cur;
        cur = nxt;
        nxt = t;
    }
    next[base + y * 32 + x] = (unsigned char)cur[y][x];
}
