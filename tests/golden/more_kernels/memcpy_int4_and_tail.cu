__global__ void memcpy_int4_and_tail(char *dst, const char *src, size_t bytes)
{
    size_t tid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t vectors = bytes / sizeof(int4);
    const int4 *s = reinterpret_cast<const int4 *>(src);
    int4 *d = reinterpret_cast<int4 *>(dst);
    for (size_t i = tid; i < vectors; i += threads) d[i] = s[i];
    size_t done = vectors * sizeof(int4);
    if (tid < bytes - done) dst[done + tid] = src[done + tid];
}
