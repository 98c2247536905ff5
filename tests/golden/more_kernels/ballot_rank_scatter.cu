// Stable split of a block by a property of the index: those picked to the front.
__global__ void ballot_rank_scatter(const int *in, int *even, int *odd)
{
    __shared__ int picked_before[5];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int i = blockIdx.x * 128 + threadIdx.x;
    bool pick = (i * 37) % 5 < 2;
    unsigned int votes = __ballot_sync(0xffffffffu, pick);
    int rank = __popc(votes & ((1u << lane) - 1));
    if (lane == 0) picked_before[warp + 1] = __popc(votes);
    if (threadIdx.x == 0) picked_before[0] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w <= 4; w++) picked_before[w] += picked_before[w - 1];
    __syncthreads();
    int front = picked_before[warp] + rank;
    if (pick)
        even[blockIdx.x * 128 + front] = in[i];
    else
        odd[blockIdx.x * 128 + threadIdx.x - front] = in[i];
}
