// every block scans the 256-entry histogram into a LUT and remaps its part of the image, four pixels at a time
__global__ void equalize_cdf_remap(const uchar4 *img, const unsigned *hist, uchar4 *out, int n)
{
    __shared__ unsigned cdf[256];
    __shared__ unsigned char lut[256];
    const int t = threadIdx.x;
    cdf[t] = hist[t];
    __syncthreads();
    for (int d = 1; d < 256; d <<= 1) {
        unsigned add = 0;
        if (t >= d) add = cdf[t - d];
        __syncthreads();
        cdf[t] += add;
        __syncthreads();
    }
    lut[t] = (unsigned char)(255.0f * cdf[t] / n);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n / 4; i += gridDim.x * blockDim.x) {
        uchar4 p = img[i];
        out[i] = make_uchar4(lut[(p.x + i) & 255], lut[(p.y + 7 * i) & 255], lut[p.z ^ (t & 255)], lut[p.w]);
    }
}
