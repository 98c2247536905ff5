__global__ void attention_value_naive(float* out, const float* att, const float* inp,
                                        int B, int T, int C, int NH) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int total_threads = B * T * C;   // one thread per output element

    if (idx < total_threads) {
        int C3 = C*3;
        int hs = C / NH;
        int d = idx % hs;
        int h = (idx / hs) % NH;
        int t = (idx / C) % T;
        int b = idx / (T * C);

        const float* att_bth = att + b*NH*T*T + h*T*T + t*T;
        float acc = 0.0f;
        for (int t2 = 0; t2 <= t; t2++) {
            const float* value_t2 = inp + b * T * C3 + t2 * C3 + h * hs + C*2; // +C*2 because it's value
            acc += att_bth[t2] * value_t2[d];
        }
        out[b * T * C + t * C + h * hs + d] = acc;
    }
}
