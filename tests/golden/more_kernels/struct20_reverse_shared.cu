struct Vertex {
    float x, y, z;
    int id;
    unsigned int rgba;
};

__global__ void struct20_reverse_shared(const Vertex *src, Vertex *dst)
{
    __shared__ Vertex v[96];
    const int base = blockIdx.x * 96;
    v[threadIdx.x] = src[base + threadIdx.x];
    __syncthreads();
    dst[base + threadIdx.x] = v[95 - threadIdx.x];
}
