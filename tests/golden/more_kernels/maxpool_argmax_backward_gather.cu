// 2x2 stride 2: every input cell looks up its window's argmax offset
__global__ void maxpool_argmax_backward_gather(const float *dout, const int *mask, float *din, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = threadIdx.z;
    int PW = W / 2, PH = H / 2;
    int w = (c * PH + y / 2) * PW + x / 2;
    float g = 0.0f;
    if (mask[w] == (y % 2) * 2 + (x % 2)) g = dout[w];
    din[(c * H + y) * W + x] = g;
}
