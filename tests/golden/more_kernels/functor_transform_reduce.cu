struct SquaredDistance {
  template <typename T>
  __device__ T operator()(T x, T y) const { T d = x - y; return d * d; }
};
struct Product {
  template <typename T>
  __device__ T operator()(T x, T y) const { return x * y; }
};

template <typename T, typename Op, int THREADS>
__global__ void functor_transform_reduce(const T* a, const T* b, T* out, int n) {
  __shared__ T s[THREADS];
  Op op;
  T acc = T(0);
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) acc += op(a[i], b[i]);
  s[threadIdx.x] = acc;
  __syncthreads();
#pragma unroll
  for (int k = THREADS / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
