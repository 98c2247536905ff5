#define SECTION_SIZE 512
#define SUBSECTION 4
// three-phase scan for thread coarsening (PMPP ch. 11)
__global__ void scan_coarsened_three_phase(float *X, float *Y, unsigned int N) {
    __shared__ float XY[SECTION_SIZE];
    __shared__ float sums[SECTION_SIZE / SUBSECTION];
    unsigned int base = blockIdx.x * SECTION_SIZE;
    for (unsigned int j = 0; j < SUBSECTION; j++) {
        unsigned int s = threadIdx.x + j * blockDim.x;
        XY[s] = (base + s < N) ? X[base + s] : 0.0f;
    }
    __syncthreads();
    // phase 1: sequential scan of each subsection
    for (unsigned int j = 1; j < SUBSECTION; ++j)
        XY[threadIdx.x * SUBSECTION + j] += XY[threadIdx.x * SUBSECTION + j - 1];
    sums[threadIdx.x] = XY[threadIdx.x * SUBSECTION + SUBSECTION - 1];
    // phase 2: Kogge-Stone over the last elements
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        float temp;
        if (threadIdx.x >= stride)
            temp = sums[threadIdx.x] + sums[threadIdx.x - stride];
        __syncthreads();
        if (threadIdx.x >= stride)
            sums[threadIdx.x] = temp;
    }
    __syncthreads();
    // phase 3
    if (threadIdx.x > 0)
        for (unsigned int j = 0; j < SUBSECTION; ++j)
            XY[threadIdx.x * SUBSECTION + j] += sums[threadIdx.x - 1];
    __syncthreads();
    for (unsigned int j = 0; j < SUBSECTION; j++) {
        unsigned int s = threadIdx.x + j * blockDim.x;
        if (base + s < N) Y[base + s] = XY[s];
    }
}
