// after llm.c softmax_forward_kernel5: one warp per row of a causal T x T matrix (here 24 rows, 64 columns allocated)
__global__ void softmax_causal_warp_float4(float *out, float inv_temperature, const float *inp, int N, int T)
{
    const int LD = 64;
    int lane = threadIdx.x % 32;
    int row = (gridDim.x - 1 - blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;  // backward order
    if (row >= N * T) return;
    int own_pos = row % T + 39;          // up to 63
    int pos_by_4 = own_pos / 4;
    const float *x = inp + row * LD;
    float maxval = -3.402823466e+38F, sumval = 0.0f;
    const float4 *x_vec = reinterpret_cast<const float4 *>(x);
    for (int i = lane; i < pos_by_4; i += 32) {
        float4 v = x_vec[i];
        float old = maxval;
        maxval = fmaxf(fmaxf(fmaxf(maxval, v.x), fmaxf(v.y, v.z)), v.w);
        sumval *= expf(inv_temperature * (old - maxval));
        sumval += expf(inv_temperature * (v.x - maxval)) + expf(inv_temperature * (v.y - maxval))
                + expf(inv_temperature * (v.z - maxval)) + expf(inv_temperature * (v.w - maxval));
    }
    if (4 * pos_by_4 + lane <= own_pos) {
        float old = maxval;
        maxval = fmaxf(maxval, x[4 * pos_by_4 + lane]);
        sumval *= expf(inv_temperature * (old - maxval));
        sumval += expf(inv_temperature * (x[4 * pos_by_4 + lane] - maxval));
    }
    float gmax = maxval;
    for (int o = 16; o > 0; o /= 2) gmax = fmaxf(gmax, __shfl_xor_sync(0xFFFFFFFF, gmax, o));
    sumval *= expf(inv_temperature * (maxval - gmax));
    for (int o = 16; o > 0; o /= 2) sumval += __shfl_xor_sync(0xFFFFFFFF, sumval, o);
    float norm = 1.f / sumval;
    for (int i = lane; i <= own_pos; i += 32)
        out[row * LD + i] = expf(inv_temperature * (x[i] - gmax)) * norm;
}
