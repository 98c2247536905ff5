// Asynchronous copies of a thread's own pipeline, as the standard library of CUDA 13 makes them.
namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum class pipeline_role { producer, consumer };

template <size_t ALIGN> struct aligned_size_t {
  static constexpr size_t align = ALIGN;
  size_t value;
  __device__ constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __device__ constexpr operator size_t() const { return value; }
};

// A barrier's own word is reached by instructions that are none of the loads and stores that are counted.
template <int SCOPE> struct barrier {
  unsigned long long word;
  using arrival_token = int;
  __device__ int arrive(int count = 1) { return 0; }
  __device__ void wait(int token) { __syncthreads(); }
  __device__ void wait_parity(bool phase) { __syncthreads(); }
  __device__ void arrive_and_wait() { __syncthreads(); }
  __device__ void arrive_and_drop() {}
};

template <int SCOPE, int STAGES> struct pipeline_shared_state { unsigned long long words[2 * STAGES]; };

template <int SCOPE> struct pipeline {
  char unused;
  __device__ void producer_acquire() {}
  __device__ void producer_commit() { __pipeline_commit(); }
  __device__ void consumer_wait() {
    __pipeline_wait_prior(0);
    if constexpr (SCOPE != 3) __syncthreads();
  }
  __device__ void consumer_release() {}
  __device__ bool quit() { return true; }
};

__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>{}; }

template <typename Group, int SCOPE, int STAGES>
__device__ pipeline<SCOPE> make_pipeline(const Group& group, pipeline_shared_state<SCOPE, STAGES>* state) {
  return pipeline<SCOPE>{};
}

template <unsigned PRIOR, typename Pipeline>
__device__ void pipeline_consumer_wait_prior(Pipeline& pipe) { __pipeline_wait_prior(PRIOR); }

// Bytes that are copied at once: what the size says of the alignment, else what the type does.
template <typename Size, size_t OWN> struct copy_width { static constexpr size_t value = OWN >= 16 ? 16 : OWN; };
template <size_t ALIGN, size_t OWN> struct copy_width<aligned_size_t<ALIGN>, OWN> {
  static constexpr size_t value = ALIGN >= 16 ? 16 : ALIGN;
};

template <typename T, typename Size, typename Pipeline>
__device__ void memcpy_async(T* to, const T* from, Size size, Pipeline& pipe) {
  constexpr size_t width = copy_width<Size, alignof(T)>::value;
  const size_t bytes = size;
#pragma unroll
  for (size_t at = 0; at < bytes; at += width) __pipeline_memcpy_async((char*)to + at, (const char*)from + at, width);
}

template <typename Group, typename T, typename Size, typename Pipeline>
__device__ void memcpy_async(Group group, T* to, const T* from, Size size, Pipeline& pipe) {
  constexpr size_t width = copy_width<Size, alignof(T)>::value;
  const size_t bytes = size;
  for (size_t at = group.thread_rank() * width; at < bytes; at += group.size() * width)
    __pipeline_memcpy_async((char*)to + at, (const char*)from + at, width);
}

}

// Found by the type of its argument, as a friend of the barrier is.
template <int SCOPE> __device__ void init(cuda::barrier<SCOPE>* barrier, int expected) {}
