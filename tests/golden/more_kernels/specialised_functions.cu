template <typename T> __device__ T identity();
template <> __device__ int identity<int>() { return 1; }
template <> __device__ float identity<float>() { return 0.5f; }
template <int K> struct Step { static constexpr int value = K * 3; };
template <> struct Step<4> { static constexpr int value = 2; };
template <typename T, int K>
__global__ void specialised_functions(const T* in, T* out) {
  __shared__ T s[128];
  constexpr int step = Step<K>::value;
  int t = threadIdx.x;
  s[t * step] = in[blockIdx.x * 128 + t * step];
  s[t * step + 1] = identity<T>();
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[t] + s[127 - t];
}
