__global__ void maxpool_3x3_stride2(const float *in, float *out, int *out_idx, int H, int W)
{
    const int OW = (W - 3) / 2 + 1, OH = (H - 3) / 2 + 1;
    int ow = blockIdx.x * blockDim.x + threadIdx.x;
    int oh = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z;
    if (ow >= OW || oh >= OH) return;
    const float *plane = in + c * H * W;
    float best = -1e38f;
    int where = -1;
    for (int i = oh * 2; i < oh * 2 + 3; i++)
        for (int j = ow * 2; j < ow * 2 + 3; j++) {
            float v = plane[i * W + j];
            if (v > best) { best = v; where = i * W + j; }
        }
    out[(c * OH + oh) * OW + ow] = best;
    out_idx[(c * OH + oh) * OW + ow] = where;
}
