#define H 40
__global__ void rnn_cell_recurrent_steps(const float *Wh, const float *xin, const float *h0, float *hout, int steps)
{
    __shared__ float W[H][H];
    __shared__ float h[H];
    const int j = threadIdx.x;
    for (int i = 0; i < H; i++) W[i][j] = Wh[i * H + j];
    h[j] = h0[blockIdx.x * H + j];
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        float a = xin[(blockIdx.x * steps + s) * H + j];
        // row j of the matrix: neighbouring threads are H words apart
        for (int i = 0; i < H; i++) a += W[j][i] * h[i];
        __syncthreads();
        h[j] = tanhf(a);
        __syncthreads();
        hout[(blockIdx.x * steps + s) * H + j] = h[j];
    }
}
