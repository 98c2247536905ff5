// The standard library's array.
namespace std {

template <typename T, size_t N> struct array {
  T elements[N];
  __device__ T& operator[](size_t at) { return elements[at]; }
  __device__ const T& operator[](size_t at) const { return elements[at]; }
  __device__ T& front() { return elements[0]; }
  __device__ T& back() { return elements[N - 1]; }
  __device__ T* data() { return elements; }
  __device__ T* begin() { return elements; }
  __device__ T* end() { return elements + N; }
  __device__ constexpr size_t size() const { return N; }
  __device__ constexpr bool empty() const { return N == 0; }
  __device__ void fill(T value) { for (size_t at = 0; at < N; ++at) elements[at] = value; }
};

} // namespace std
