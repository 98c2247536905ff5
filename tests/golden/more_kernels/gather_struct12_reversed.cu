struct Vertex12 { float x; short u, v; unsigned char rgba[4]; };
__global__ void gather_struct12_reversed(const Vertex12 *in, Vertex12 *out, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        Vertex12 v = in[n - 1 - i];
        v.u += v.rgba[0];
        v.rgba[3] = 255;
        out[i] = v;
    }
}
