// Max reduction with minimal divergence, in place in global memory for the first level.
__global__ void convergent_max_double(const double* input, double* output)
{
    __shared__ double buf[128];
    const unsigned i = threadIdx.x;
    const double* base = &input[blockIdx.x * 2 * blockDim.x];
    buf[i] = fmax(base[i], base[i + 128]);
    for (unsigned stride = 64; stride > 0; stride >>= 1) {
        __syncthreads();
        if (i < stride)
            buf[i] = fmax(buf[i], buf[i + stride]);
    }
    __syncthreads();
    if (i == 0) output[blockIdx.x] = *buf;
}
