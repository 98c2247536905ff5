template <unsigned int blockSize>
__global__ void reduce7_sample(const float *__restrict__ g_idata, float *__restrict__ g_odata, unsigned int n)
{
    extern __shared__ float sdata[];

    // perform first level of reduction,
    // reading from global memory, writing to shared memory
    unsigned int tid      = threadIdx.x;
    unsigned int gridSize = blockSize * gridDim.x;
    unsigned int maskLength = (blockSize & 31); // 31 = warpSize-1
    maskLength = (maskLength > 0) ? (32 - maskLength) : maskLength;
    const unsigned int mask = (0xffffffff) >> maskLength;

    float mySum = 0;
    unsigned int i = blockIdx.x * blockSize + threadIdx.x;
    while (i < n) {
        mySum += g_idata[i];
        i += gridSize;
    }

    // Reduce within warp using shuffle
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        mySum += __shfl_down_sync(mask, mySum, offset);

    // each thread puts its local sum into shared memory
    if ((tid % warpSize) == 0) {
        sdata[tid / warpSize] = mySum;
    }
    __syncthreads();

    const unsigned int shmem_extent = (blockSize / warpSize) > 0 ? (blockSize / warpSize) : 1;
    if (tid < shmem_extent) {
        mySum = sdata[tid];
        for (int offset = shmem_extent / 2; offset > 0; offset /= 2)
            mySum += __shfl_down_sync((1u << shmem_extent) - 1, mySum, offset);
    }

    if (tid == 0) g_odata[blockIdx.x] = mySum;
}
