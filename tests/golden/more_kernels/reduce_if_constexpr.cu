template <unsigned int BLOCK, bool TWO_LOADS>
__global__ void reduce_if_constexpr(const float *__restrict__ in, float *__restrict__ out, unsigned int n) {
    __shared__ float cache[BLOCK];
    const unsigned int tid = threadIdx.x;
    float acc = 0.f;
    unsigned int i;
    if constexpr (TWO_LOADS) {
        i = blockIdx.x * (BLOCK * 2) + tid;
        while (i < n) {
            acc += in[i];
            if (i + BLOCK < n) acc += in[i + BLOCK];
            i += BLOCK * 2 * gridDim.x;
        }
    } else {
        for (i = blockIdx.x * BLOCK + tid; i < n; i += BLOCK * gridDim.x) acc += in[i];
    }
    cache[tid] = acc;
    __syncthreads();
    if constexpr (BLOCK >= 512) { if (tid < 256) cache[tid] = acc = acc + cache[tid + 256]; __syncthreads(); }
    if constexpr (BLOCK >= 256) { if (tid < 128) cache[tid] = acc = acc + cache[tid + 128]; __syncthreads(); }
    if constexpr (BLOCK >= 128) { if (tid < 64) cache[tid] = acc = acc + cache[tid + 64]; __syncthreads(); }
    if (tid < 32) {
        acc += cache[tid + 32];
        for (int offset = 16; offset > 0; offset /= 2) acc += __shfl_down_sync(0xffffffff, acc, offset);
        if (tid == 0) out[blockIdx.x] = acc;
    }
}
