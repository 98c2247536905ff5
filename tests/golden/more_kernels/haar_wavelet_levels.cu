// All levels of a Haar decomposition of 512 samples, one block each.
__global__ void haar_wavelet_levels(const float *signal, float *coeffs)
{
    __shared__ float s[512];
    const float r = 0.70710678f;
    int t = threadIdx.x;
    s[t] = signal[blockIdx.x * 512 + t];
    s[t + 256] = signal[blockIdx.x * 512 + t + 256];
    __syncthreads();
    int active = 256;
    while (active > 0) {
        float a = 0, d = 0;
        if (t < active) {
            float e = s[2 * t], o = s[2 * t + 1];
            a = (e + o) * r;
            d = (e - o) * r;
        }
        __syncthreads();
        if (t < active) {
            s[t] = a;
            coeffs[blockIdx.x * 512 + active + t] = d;
        }
        __syncthreads();
        active >>= 1;
    }
    if (t == 0) coeffs[blockIdx.x * 512] = s[0];
}
