__global__ void transpose_batched_pitch(const float *in, float *out, int rows, int cols, int pitch)
{
    extern __shared__ float tile[];
    const float *src = in + (size_t)blockIdx.z * rows * cols;
    float *dst = out + (size_t)blockIdx.z * rows * cols;

    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < cols && r < rows) tile[threadIdx.y * pitch + threadIdx.x] = src[r * cols + c];
    __syncthreads();

    c = blockIdx.y * blockDim.y + threadIdx.x;
    r = blockIdx.x * blockDim.x + threadIdx.y;
    if (c < rows && r < cols) dst[r * rows + c] = tile[threadIdx.x * pitch + threadIdx.y];
}
