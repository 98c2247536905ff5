// PyTorch-like: Welford merge inside warps, then across warps through shared memory
__device__ void welford_merge(float &n, float &avg, float &m2, float on, float oavg, float om2)
{
    float total = n + on;
    float factor = 1.0f / fmaxf(1.0f, total);
    float d = oavg - avg;
    m2 += om2 + d * d * n * on * factor;
    avg = (n * avg + on * oavg) * factor;
    n = total;
}

__global__ void batchnorm_welford_channels(const float *input, float *mean, float *invstd,
                                           int N, int C, int HW, float epsilon)
{
    __shared__ float shared_n[32];
    __shared__ float shared_avg_var[2 * 32];
    int plane = blockIdx.x;
    int tid = threadIdx.x + threadIdx.y * blockDim.x;
    float avg = 0, var_n = 0, n = 0;
    for (int batch = threadIdx.y; batch < N; batch += blockDim.y) {
        for (int x = threadIdx.x; x < HW; x += blockDim.x) {
            float v = input[(batch * C + plane) * HW + x];
            float d1 = v - avg;
            n++;
            avg += d1 / n;
            var_n += d1 * (v - avg);
        }
    }
    for (int i = 0; i < 5; ++i) {
        float o_avg = __shfl_xor_sync(0xffffffffu, avg, 1 << i);
        float o_n = __shfl_xor_sync(0xffffffffu, n, 1 << i);
        float o_v = __shfl_xor_sync(0xffffffffu, var_n, 1 << i);
        welford_merge(n, avg, var_n, o_n, o_avg, o_v);
    }
    if (tid % 32 == 0) {
        shared_n[tid / 32] = n;
        shared_avg_var[tid / 32 * 2] = avg;
        shared_avg_var[tid / 32 * 2 + 1] = var_n;
    }
    __syncthreads();
    if (tid < 32) {
        n = (tid < blockDim.x * blockDim.y / 32 ? shared_n[tid] : 0);
        avg = (tid < blockDim.x * blockDim.y / 32 ? shared_avg_var[2 * tid] : 0.0f);
        var_n = (tid < blockDim.x * blockDim.y / 32 ? shared_avg_var[2 * tid + 1] : 0.0f);
        for (int i = 0; i < 5; ++i) {
            float o_avg = __shfl_xor_sync(0xffffffffu, avg, 1 << i);
            float o_n = __shfl_xor_sync(0xffffffffu, n, 1 << i);
            float o_v = __shfl_xor_sync(0xffffffffu, var_n, 1 << i);
            welford_merge(n, avg, var_n, o_n, o_avg, o_v);
        }
    }
    if (tid == 0) {
        mean[plane] = avg;
        invstd[plane] = 1.0f / sqrtf(var_n / (N * HW) + epsilon);
    }
}
