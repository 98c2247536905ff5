typedef unsigned int uint32;

__device__ inline void Comparator(uint32 &keyA, uint32 &valA, uint32 &keyB, uint32 &valB, uint32 dir)
{
    uint32 t;
    if ((keyA > keyB) == dir) {
        t = keyA; keyA = keyB; keyB = t;
        t = valA; valA = valB; valB = t;
    }
}

__global__ void bitonic_merge_key_value(uint32 *keys, uint32 *vals, uint32 dir)
{
    __shared__ uint32 s_key[256];
    __shared__ uint32 s_val[256];
    keys += blockIdx.x * 256 + threadIdx.x;
    vals += blockIdx.x * 256 + threadIdx.x;
    s_key[threadIdx.x] = keys[0];
    s_val[threadIdx.x] = vals[0];
    s_key[threadIdx.x + 128] = keys[128];
    s_val[threadIdx.x + 128] = vals[128];

    for (uint32 stride = 128; stride > 0; stride >>= 1) {
        __syncthreads();
        uint32 pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], dir);
    }
    __syncthreads();
    keys[0] = s_key[threadIdx.x];
    vals[0] = s_val[threadIdx.x];
    keys[128] = s_key[threadIdx.x + 128];
    vals[128] = s_val[threadIdx.x + 128];
}
