__global__ void knapsack_shared_rows(const int *weights, const int *profits, int *best, int items, int capacity)
{
    __shared__ int dp[2][201];
    int cur = 0;
    for (int c = threadIdx.x; c <= capacity; c += blockDim.x) dp[0][c] = 0;
    for (int k = 0; k < items; ++k) {
        __syncthreads();
        const int w = weights[blockIdx.x * items + k] + 5 * k + 3;
        const int p = profits[blockIdx.x * items + k] + k + 1;
        for (int c = threadIdx.x; c <= capacity; c += blockDim.x) {
            int v = dp[cur][c];
            if (c >= w) v = max(v, dp[cur][c - w] + p);
            dp[cur ^ 1][c] = v;
        }
        cur ^= 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) best[blockIdx.x] = dp[cur][capacity];
}
