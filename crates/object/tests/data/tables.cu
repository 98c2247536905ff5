// The objects beside this file: nvcc 13.0 -cubin -arch=sm_80 and sm_100.
__constant__ int permutation[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ float weights[64];

struct Scale {
    double factor;
    int shift;
};

__global__ void tables(float* out, const float* in, char c, Scale scale, int n) {
    __shared__ float tile[32][33];
    float v = in[threadIdx.x * permutation[n & 7]] * weights[n] + c;
    switch (n) {
        case 0: out[3] = v; break;
        case 1: out[5] = v * 2; break;
        case 2: out[threadIdx.x * 2] = v; break;
        case 3: out[threadIdx.x * 5] = v * 3; break;
        case 4: out[threadIdx.x * 17] = v * 5; break;
        case 5: out[threadIdx.x * n] = v; break;
        case 6: tile[threadIdx.x][n] = v; __syncthreads(); out[1] = tile[n][threadIdx.x]; break;
    }
    out[threadIdx.x + scale.shift] = v;
}

template <int STEP>
__global__ void steps(float* out) {
    out[threadIdx.x * STEP] = STEP;
}
template __global__ void steps<4>(float*);
template __global__ void steps<5>(float*);
