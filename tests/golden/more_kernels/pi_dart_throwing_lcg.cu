__global__ void pi_dart_throwing_lcg(unsigned int *hits, int iters)
{
    __shared__ unsigned int count[128];
    unsigned int s = (blockIdx.x * blockDim.x + threadIdx.x) * 1664525u + 1013904223u;
    unsigned int c = 0;
    for (int i = 0; i < iters; i++) {
        s = s * 1664525u + 1013904223u;
        float x = (s >> 8) * (1.0f / 16777216.0f);
        s = s * 1664525u + 1013904223u;
        float y = (s >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y <= 1.0f) c++;
    }
    count[threadIdx.x] = c;
    __syncthreads();
    for (int i = blockDim.x / 2; i > 0; i /= 2) {
        if (threadIdx.x < i) count[threadIdx.x] += count[threadIdx.x + i];
        __syncthreads();
    }
    if (!threadIdx.x) hits[blockIdx.x] = count[0];
}
