__global__ void crc32_shared_table(const unsigned char *data, unsigned int *crc, int len)
{
    __shared__ unsigned int table[256];
    unsigned int c = threadIdx.x;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    table[threadIdx.x] = c;
    __syncthreads();

    const int message = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char *p = data + message * len;
    unsigned int state = ~message;
    for (int i = 0; i < len; i++)
        state = table[(state ^ p[i]) & 0xff] ^ (state >> 8);
    crc[message] = ~state;
}
