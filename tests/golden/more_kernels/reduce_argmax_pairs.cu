__global__ void reduce_argmax_pairs(const float *data, float *best_value, int *best_index, int n)
{
    __shared__ float val[256];
    __shared__ int idx[256];

    float m = -1e30f;
    int mi = -1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float d = data[i];
        if (d > m) { m = d; mi = i; }
    }
    val[threadIdx.x] = m;
    idx[threadIdx.x] = mi;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) {
            float other = val[threadIdx.x + s];
            int otherIdx = idx[threadIdx.x + s];
            bool take = other > val[threadIdx.x];
            val[threadIdx.x] = take ? other : val[threadIdx.x];
            idx[threadIdx.x] = take ? otherIdx : idx[threadIdx.x];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        best_value[blockIdx.x] = val[0];
        best_index[blockIdx.x] = idx[0];
    }
}
