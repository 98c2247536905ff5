__global__ void argmax_rows_block(const float *logits, int *best, int V)
{
    __shared__ float sval[3];
    __shared__ int sidx[3];
    float val = -1e30f;
    int idx = -1;
    for (int v = threadIdx.x; v < V; v += blockDim.x) {
        float l = logits[blockIdx.x * V + v];
        if (l > val) { val = l; idx = v; }
    }
    const unsigned full = 0xffffffffu;
    for (int d = 16; d >= 1; d /= 2) {
        float ov = __shfl_down_sync(full, val, d);
        int oi = __shfl_down_sync(full, idx, d);
        if (ov > val || (ov == val && oi < idx)) { val = ov; idx = oi; }
    }
    const int lane = threadIdx.x % 32, wid = threadIdx.x / 32;
    if (lane == 0) { sval[wid] = val; sidx[wid] = idx; }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 3; ++w)
            if (sval[w] > val || (sval[w] == val && sidx[w] < idx)) { val = sval[w]; idx = sidx[w]; }
        best[blockIdx.x] = idx;
    }
}
