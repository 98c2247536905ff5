__global__ void popcount_rows_of_words(const unsigned int *bits, unsigned int *counts, int words)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    unsigned int ones = 0;
    for (int w = threadIdx.x; w < words; w += warpSize)
        ones += __popc(bits[row * words + w]);
    ones = __reduce_add_sync(0xffffffffu, ones);
    if (threadIdx.x == 0) counts[row] = ones;
}
