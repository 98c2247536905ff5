// Works for any block size: halves rounding up.
__global__ void reduce_nonpower_of_two(int *g_in, int *g_out)
{
    __shared__ int sdata[200];
    unsigned int tid = threadIdx.x;
    sdata[tid] = g_in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    unsigned int live = blockDim.x;
    while (live > 1) {
        unsigned int half = (live + 1) / 2;
        if (tid + half < live) sdata[tid] += sdata[tid + half];
        __syncthreads();
        live = half;
    }
    if (tid == 0) g_out[blockIdx.x] = sdata[0];
}
