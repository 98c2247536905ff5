struct Stats {
    float lo;
    float hi;
    float sum;
    int count;
};

__device__ void merge(Stats &a, const Stats &b)
{
    a.lo = fminf(a.lo, b.lo);
    a.hi = fmaxf(a.hi, b.hi);
    a.sum += b.sum;
    a.count += b.count;
}

__global__ void reduce_stats_struct(const float *x, Stats *out, int n)
{
    __shared__ Stats s[128];
    Stats mine;
    mine.lo = 1e30f;
    mine.hi = -1e30f;
    mine.sum = 0.0f;
    mine.count = 0;
    for (int i = threadIdx.x + blockIdx.x * 128; i < n; i += 128 * gridDim.x) {
        float v = x[i];
        Stats one = {v, v, v, 1};
        merge(mine, one);
    }
    s[threadIdx.x] = mine;
    __syncthreads();
    for (int half = 64; half >= 1; half /= 2) {
        if (threadIdx.x < half) merge(s[threadIdx.x], s[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
