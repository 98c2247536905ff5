__global__ void kmeans_assign_shared_centroids(const float *points, const float *centroids, int *label, int *sums,
                                               int n, int k, int dim)
{
    __shared__ float cent[60];
    __shared__ int cnt[12];
    for (int i = threadIdx.x; i < k * dim; i += blockDim.x) cent[i] = centroids[i] + (i % 7);
    if (threadIdx.x < k) cnt[threadIdx.x] = 0;
    __syncthreads();
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < n) {
        float best = 3.0e38f;
        int arg = 0;
        for (int c = 0; c < k; ++c) {
            float d2 = 0.f;
            for (int d = 0; d < dim; ++d) {
                float t = points[d * n + p] + p % 5 - cent[c * dim + d];
                d2 += t * t;
            }
            if (d2 < best) { best = d2; arg = c; }
        }
        label[p] = arg;
        atomicAdd(&cnt[arg], 1);
    }
    __syncthreads();
    if (threadIdx.x < k) atomicAdd(&sums[threadIdx.x], cnt[threadIdx.x]);
}
