#define N_FFT 128
// decimation in frequency; the result leaves in bit-reversed order, put right on the way out
__global__ void fft_dif_brev(float *re, float *im)
{
    __shared__ float sr[N_FFT], si[N_FFT];
    int t = threadIdx.x;
    int base = blockIdx.x * N_FFT;
    sr[t] = re[base + t];
    sr[t + 64] = re[base + t + 64];
    si[t] = im[base + t];
    si[t + 64] = im[base + t + 64];
    for (int half = N_FFT / 2; half >= 1; half >>= 1) {
        __syncthreads();
        int j = t & (half - 1);
        int top = 2 * (t - j) + j;
        int bot = top + half;
        float ar = sr[top], ai = si[top];
        float br = sr[bot], bi = si[bot];
        float c, s;
        __sincosf(-3.14159265f * j / half, &s, &c);
        sr[top] = ar + br;
        si[top] = ai + bi;
        float dr = ar - br, di = ai - bi;
        sr[bot] = dr * c - di * s;
        si[bot] = dr * s + di * c;
    }
    __syncthreads();
    for (int k = t; k < N_FFT; k += 64) {
        unsigned int r = __brev((unsigned int)k) >> 25;
        re[base + k] = sr[r];
        im[base + k] = si[r];
    }
}
