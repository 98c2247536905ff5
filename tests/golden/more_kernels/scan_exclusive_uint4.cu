typedef unsigned int uint;
#define THREADBLOCK_SIZE 256

// Naive inclusive scan: O(N * log2(N)) operations
// Allocate 2 * 'size' local memory, initialize the first half with zeros
inline __device__ uint scan1Inclusive(uint idata, volatile uint *s_Data, uint size)
{
    uint pos = 2 * threadIdx.x - (threadIdx.x & (size - 1));
    s_Data[pos] = 0;
    pos += size;
    s_Data[pos] = idata;

    for (uint offset = 1; offset < size; offset <<= 1) {
        __syncthreads();
        uint t = s_Data[pos] + s_Data[pos - offset];
        __syncthreads();
        s_Data[pos] = t;
    }
    return s_Data[pos];
}

inline __device__ uint4 scan4Exclusive(uint4 idata4, volatile uint *s_Data, uint size)
{
    uint4 o = idata4;
    o.y += o.x;
    o.z += o.y;
    o.w += o.z;
    uint oval = scan1Inclusive(o.w, s_Data, size / 4) - o.w;
    o.x += oval; o.y += oval; o.z += oval; o.w += oval;
    // exclusive
    o.x -= idata4.x; o.y -= idata4.y; o.z -= idata4.z; o.w -= idata4.w;
    return o;
}

__global__ void scan_exclusive_uint4(uint4 *d_Dst, uint4 *d_Src, uint size)
{
    __shared__ uint s_Data[2 * THREADBLOCK_SIZE];
    uint pos = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 idata4 = d_Src[pos];
    uint4 odata4 = scan4Exclusive(idata4, s_Data, size);
    d_Dst[pos] = odata4;
}
