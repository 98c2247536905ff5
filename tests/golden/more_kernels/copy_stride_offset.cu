template <typename T>
__device__ void add_one(T *dst, const T *src, int i)
{
    dst[i] = src[i] + 1;
}

__global__ void copy_stride_offset(float *a, const float *b, int offset, int stride)
{
    int i = (blockDim.x * blockIdx.x + threadIdx.x) * stride + offset;
    add_one(a, b, i);
}
