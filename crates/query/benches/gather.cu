// Elements in an order that data says, one a thread.
__global__ void gather(const float *in, const unsigned int *order, float *out, unsigned int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[order[i] & 0xfffff];
}
