template <typename T, int V> struct alignas(sizeof(T) * V) Pack { T v[V]; };

template <typename T, int V>
__global__ void stream_triad_template_vec(T *a, const T *b, const T *c, T s, int n)
{
    typedef Pack<T, V> P;
    P *pa = (P *)a;
    const P *pb = (const P *)b, *pc = (const P *)c;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / V; i += gridDim.x * blockDim.x) {
        P x = pb[i], y = pc[i], z;
#pragma unroll
        for (int k = 0; k < V; ++k) z.v[k] = x.v[k] + s * y.v[k];
        pa[i] = z;
    }
}
