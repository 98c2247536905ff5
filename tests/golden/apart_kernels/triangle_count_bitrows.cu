// adjacency as 128 x 4 words; all rows in shared, popcount of intersections for i < j
__global__ void triangle_count_bitrows(const unsigned int *rows, int *count, int n)
{
    __shared__ unsigned int m[128][4];
    int tid = threadIdx.y * 32 + threadIdx.x;
    for (int k = tid; k < n * 4; k += 256)
        m[k / 4][k % 4] = rows[k] | (0x9249u << (k % 7));
    __syncthreads();
    int local = 0;
    for (int i = blockIdx.x * 8 + threadIdx.y; i < n; i += gridDim.x * 8)
        for (int j = i + 1 + threadIdx.x; j < n; j += 32) {
            if (!((m[i][j >> 5] >> (j & 31)) & 1)) continue;
            for (int w = 0; w < 4; w++) local += __popc(m[i][w] & m[j][w]);
        }
    local = __reduce_add_sync(0xffffffff, local);
    if (threadIdx.x == 0 && local) atomicAdd(count, local);
}
