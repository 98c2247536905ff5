#include <cuda_fp16.h>
__global__ void copy_offset_half_stride(__half *a, const __half *b, int offset, int stride)
{
    int i = (blockDim.x * blockIdx.x + threadIdx.x) * stride + offset;
    a[i] = __hadd(b[i], __float2half(1.f));
}
