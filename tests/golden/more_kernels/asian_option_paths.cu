// splitmix-like generator, Box-Muller, arithmetic average; block sum in double
__device__ unsigned long long next64(unsigned long long &s)
{
    s += 0x9E3779B97F4A7C15ull;
    unsigned long long z = s;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
__global__ void asian_option_paths(double *sums, float S0, float K, float r, float sigma, float T, int steps)
{
    __shared__ double acc[96];
    unsigned long long st = blockIdx.x * blockDim.x + threadIdx.x;
    const float dt = T / steps, drift = (r - 0.5f * sigma * sigma) * dt, vol = sigma * sqrtf(dt);
    float S = S0, avg = 0.f;
    for (int k = 0; k < steps; k += 2) {
        unsigned long long z = next64(st);
        float u1 = ((unsigned)(z >> 40) + 1) * 5.9604645e-8f;
        float u2 = (unsigned)((z >> 8) & 0xffffff) * 5.9604645e-8f;
        float rad = sqrtf(-2.f * logf(u1));
        float n0 = rad * cospif(2.f * u2), n1 = rad * sinpif(2.f * u2);
        S *= expf(drift + vol * n0); avg += S;
        S *= expf(drift + vol * n1); avg += S;
    }
    acc[threadIdx.x] = expf(-r * T) * fmaxf(avg / steps - K, 0.f);
    __syncthreads();
    // 96 = 3 * 32
    if (threadIdx.x < 32) acc[threadIdx.x] += acc[threadIdx.x + 32] + acc[threadIdx.x + 64];
    __syncthreads();
    for (int s = 16; s; s >>= 1) {
        if (threadIdx.x < s) acc[threadIdx.x] += acc[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = acc[0];
}
