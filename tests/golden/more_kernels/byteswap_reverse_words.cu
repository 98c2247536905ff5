// Big-endian number of 96 words to little-endian: words reversed, bytes swapped.
__global__ void byteswap_reverse_words(const unsigned int *in, unsigned int *out)
{
    __shared__ unsigned int w[96];
    const unsigned int first = blockIdx.x * blockDim.x;
    w[blockDim.x - 1 - threadIdx.x] = __byte_perm(in[first + threadIdx.x], 0, 0x0123);
    __syncthreads();
    out[first + threadIdx.x] = w[threadIdx.x];
}
