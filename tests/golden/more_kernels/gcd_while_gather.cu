__global__ void gcd_while_gather(const float *table, float *out, int m)
{
    __shared__ float cache[64];
    cache[threadIdx.x] = table[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    int a = threadIdx.x + 1, b = m + blockIdx.x;
    float sum = 0;
    while (b != 0) {
        int r = a % b;
        sum += cache[r % 64];
        a = b;
        b = r;
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum + cache[a - 1 < 64 ? a - 1 : 63];
}
