// Counts of bytes, added up in global memory, one a thread.
__global__ void scatter(const unsigned int *in, unsigned int *counts, unsigned int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[in[i] & 0xff], 1u);
}
