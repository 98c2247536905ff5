// warp 0 fills a shared stage, warps 1..3 consume the previous stage
__global__ void warp_specialised_producer_consumer(const float *in, float *out, int chunks)
{
    __shared__ float stage[2][96];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const float *src = in + blockIdx.x * chunks * 96;
    float *dst = out + blockIdx.x * chunks * 96;
    for (int c = 0; c <= chunks; c++) {
        if (warp == 0) {
            if (c < chunks)
                for (int i = lane; i < 96; i += 32) stage[c & 1][i] = src[c * 96 + i];
        } else if (c > 0) {
            int i = lane * 3 + warp - 1;
            dst[(c - 1) * 96 + i] = tanhf(stage[(c - 1) & 1][i]);
        }
        __syncthreads();
    }
}
