__global__ void pagerank_dense_column_tiles(const unsigned char *adj, const int *outdeg, const float *rank, float *next, int n, float d)
{
    __shared__ float contrib[64];
    const int v = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.f;
    for (int u0 = 0; u0 < n; u0 += 64) {
        const int u = u0 + threadIdx.x;
        contrib[threadIdx.x] = u < n ? __fdividef(rank[u], (float)max(outdeg[u], 1)) : 0.f;
        __syncthreads();
        if (v < n)
            for (int k = 0; k < 64 && u0 + k < n; k++)
                sum += adj[(u0 + k) * n + v] * contrib[k];
        __syncthreads();
    }
    if (v < n) next[v] = (1.f - d) / n + d * sum;
}
