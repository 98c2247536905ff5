#include <cuda_fp16.h>
__global__ void swiglu_half2_packed(__half2 *out, const __half2 *gate_up, int hidden)
{
    const int row = blockIdx.x;
    const int h2 = hidden / 2;
    const __half2 *gate = gate_up + row * hidden, *up = gate + h2;
    for (int j = threadIdx.x; j < h2; j += blockDim.x) {
        float2 g = __half22float2(gate[j]);
        float2 u = __half22float2(up[j]);
        g.x = g.x / (1.f + __expf(-g.x)) * u.x;
        g.y = g.y / (1.f + __expf(-g.y)) * u.y;
        out[row * h2 + j] = __floats2half2_rn(g.x, g.y);
    }
}
