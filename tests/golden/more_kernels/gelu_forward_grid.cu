#define GELU_SCALING_FACTOR 0.79788456f
__global__ void gelu_forward_grid(float* out, const float* inp, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < N) {
        float xi = inp[i];
        float cube = 0.044715f * xi * xi * xi;
        out[i] = 0.5f * xi * (1.0f + tanhf(GELU_SCALING_FACTOR * (xi + cube)));
        i += blockDim.x * gridDim.x;
    }
}
