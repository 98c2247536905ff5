#define S 36
__global__ void viterbi_states_36(const float *trans, const float *emit, unsigned char *path, int T)
{
    __shared__ float tr[S * S];
    __shared__ float score[2][S];
    int s = threadIdx.x;
    for (int i = s; i < S * S; i += S) tr[i] = trans[i];
    score[0][s] = 0.0f;
    int p = 0;
    for (int t = 0; t < T; t++) {
        __syncthreads();
        float best = -1e9f;
        int arg = 0;
        for (int q = 0; q < S; q++) {
            float v = score[p][q] + tr[s * S + q];
            arg = v > best ? q : arg;
            best = fmaxf(v, best);
        }
        score[1 - p][s] = best + emit[(blockIdx.x * T + t) * S + s];
        path[(blockIdx.x * T + t) * S + s] = arg;
        p = 1 - p;
    }
}
