#define NBINS 32
#define COPIES 8
#define STRIDE (NBINS + 1)
// Lane l uses copy l % COPIES; the copies lie STRIDE words apart.
__global__ void hist_lane_copies(unsigned int *hist, int n)
{
    __shared__ unsigned int copies[COPIES * STRIDE];
    for (int i = threadIdx.x; i < COPIES * STRIDE; i += blockDim.x) copies[i] = 0;
    __syncthreads();
    unsigned int *mine = copies + (threadIdx.x % COPIES) * STRIDE;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
        int bin = (i * i / 7) % NBINS;
        atomicAdd(mine + bin, 1u);
    }
    __syncthreads();
    if (threadIdx.x < NBINS) {
        unsigned int sum = 0;
        for (int c = 0; c < COPIES; c++) sum += copies[c * STRIDE + threadIdx.x];
        atomicAdd(&hist[threadIdx.x], sum);
    }
}
