#define BANKS 16
#define BLOCK_THREADS 64
#define BINS 64
typedef unsigned int uint_t;
typedef unsigned char uchar_t;

__device__ inline void addByte(uchar_t *s_ThreadBase, uint_t data) {
    s_ThreadBase[data * BLOCK_THREADS]++;
}

__device__ inline void addWord(uchar_t *s_ThreadBase, uint_t data) {
    // Only higher 6 bits of each byte matter, as this is a 64-bin histogram
    addByte(s_ThreadBase, (data >> 2) & 0x3FU);
    addByte(s_ThreadBase, (data >> 10) & 0x3FU);
    addByte(s_ThreadBase, (data >> 18) & 0x3FU);
    addByte(s_ThreadBase, (data >> 26) & 0x3FU);
}

__global__ void hist_per_thread_bytes(uint_t *d_Partial, uint_t *d_Data, uint_t dataCount) {
    // Encode thread index in order to avoid bank conflicts in s_Hist[] access
    const uint_t threadPos = ((threadIdx.x & ~(BANKS * 4 - 1)) << 0) |
                             ((threadIdx.x & (BANKS - 1)) << 2) |
                             ((threadIdx.x & (BANKS * 3)) >> 4);

    // Per-thread histogram storage
    __shared__ uchar_t s_Hist[BLOCK_THREADS * BINS];
    uchar_t *s_ThreadBase = s_Hist + threadPos;

    // Initialize shared memory (writing 32-bit words)
#pragma unroll
    for (uint_t i = 0; i < (BINS / 4); i++) ((uint_t *)s_Hist)[threadIdx.x + i * BLOCK_THREADS] = 0;
    __syncthreads();

    for (uint_t pos = blockIdx.x * blockDim.x + threadIdx.x; pos < dataCount; pos += blockDim.x * gridDim.x) {
        uint_t data = d_Data[pos];
        addWord(s_ThreadBase, data);
    }
    __syncthreads();

    // Accumulate per-thread histograms into per-block and write to global memory
    if (threadIdx.x < BINS) {
        uchar_t *s_HistBase = s_Hist + threadIdx.x * BLOCK_THREADS;
        uint_t sum = 0;
        uint_t pos = 4 * (threadIdx.x & (BANKS - 1));
#pragma unroll
        for (uint_t i = 0; i < (BLOCK_THREADS / 4); i++) {
            sum += s_HistBase[pos + 0] + s_HistBase[pos + 1] + s_HistBase[pos + 2] + s_HistBase[pos + 3];
            pos = (pos + 4) & (BLOCK_THREADS - 1);
        }
        d_Partial[blockIdx.x * BINS + threadIdx.x] = sum;
    }
}
