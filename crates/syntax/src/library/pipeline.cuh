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

// A barrier's own word is reached by instructions that are none of the loads and stores that are counted; before
// compute capability 9.0 waiting for it is a loop that reads shared memory until the others have come.
template <int SCOPE> struct barrier {
  unsigned long long word;
  using arrival_token = int;
  __device__ int arrive(int count = 1) {
    unsigned at = (unsigned)__cvta_generic_to_shared(&word);
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(at) : "memory");
    return 0;
  }
  __device__ void wait_parity(bool phase) {
    __syncthreads();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    asm volatile("mbarrier.try_wait.parity.shared::cta.b64;");
#else
    unsigned at = (unsigned)__cvta_generic_to_shared(&word);
    asm volatile("mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;" : : "r"(at) : "memory");
#endif
  }
  __device__ void wait(int token) { wait_parity(false); }
  __device__ void arrive_and_wait() { wait_parity(false); }
  __device__ void arrive_and_drop() {}
};

template <int SCOPE, int STAGES> struct pipeline_shared_state {
  unsigned long long words[2 * STAGES];
  unsigned users;
};

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
  if (group.thread_rank() == 0) *(volatile unsigned*)&state->users = group.size();
  group.sync();
  // What each warp does as its threads leave the pipeline at the end of their scope.
  if (cooperative_groups::this_thread_block().thread_rank() % 32 == __ffs(__activemask()) - 1) atomicAdd(&state->users, -32);
  return pipeline<SCOPE>{};
}

template <unsigned PRIOR, typename Pipeline>
__device__ void pipeline_consumer_wait_prior(Pipeline& pipe) { __pipeline_wait_prior(PRIOR); }

// What a copy is known to be aligned to: what its size says or what its type has, whichever is more.
template <typename Size, size_t OWN> struct copy_alignment { static constexpr size_t value = OWN; };
template <size_t ALIGN, size_t OWN> struct copy_alignment<aligned_size_t<ALIGN>, OWN> {
  static constexpr size_t value = ALIGN > OWN ? ALIGN : OWN;
};

struct single_thread {
  __device__ unsigned thread_rank() const { return 0; }
  __device__ unsigned size() const { return 1; }
};

// Pieces of 4 bytes and more are asynchronous copies; narrower ones pass through registers.
template <size_t ALIGN, typename Group>
__device__ void copy_in_pieces(const Group& group, char* to, const char* from, size_t bytes) {
  constexpr size_t width = ALIGN > 16 ? 16 : ALIGN;
  if constexpr (width >= 4) {
    const int step = group.size() * width;
    for (int at = group.thread_rank() * width; at < (int)bytes; at += step) __pipeline_memcpy_async(to + at, from + at, width);
  } else {
    struct alignas(width) Piece { char bytes[width]; };
    const size_t step = group.size() * width;
#pragma unroll 64
    for (size_t at = group.thread_rank() * width; at < bytes; at += step) *(Piece*)(to + at) = *(const Piece*)(from + at);
  }
}

// On sm_90 a barrier in shared memory takes copies that are aligned to 16 bytes in bulk: one thread asks for all of it,
// and the copy itself is no thread's.
template <size_t ALIGN, int SCOPE, typename Group>
__device__ void copy_to_barrier(const Group& group, char* to, const char* from, size_t bytes, const barrier<SCOPE>* bar) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  if constexpr (ALIGN >= 16 && SCOPE == thread_scope_block) {
    if (__isShared(bar) && __isGlobal(from) && __isShared(to)) {
      if (group.thread_rank() == 0) __pipeline_bulk_copy(to, from, (unsigned)bytes);
    } else copy_in_pieces<ALIGN>(group, to, from, bytes);
  } else
#endif
  copy_in_pieces<ALIGN>(group, to, from, bytes);
}

template <typename T, typename Size, int SCOPE>
__device__ void memcpy_async(T* to, const T* from, Size size, barrier<SCOPE>& bar) {
  copy_to_barrier<copy_alignment<Size, alignof(T)>::value, SCOPE>(single_thread{}, (char*)to, (const char*)from, size, &bar);
}

template <typename T, typename Size, int SCOPE>
__device__ void memcpy_async(T* to, const T* from, Size size, pipeline<SCOPE>& pipe) {
  copy_in_pieces<copy_alignment<Size, alignof(T)>::value>(single_thread{}, (char*)to, (const char*)from, size);
}

template <typename Group, typename T, typename Size, int SCOPE>
__device__ void memcpy_async(const Group& group, T* to, const T* from, Size size, barrier<SCOPE>& bar) {
  copy_to_barrier<copy_alignment<Size, alignof(T)>::value, SCOPE>(group, (char*)to, (const char*)from, size, &bar);
}

template <typename Group, typename T, typename Size, int SCOPE>
__device__ void memcpy_async(const Group& group, T* to, const T* from, Size size, pipeline<SCOPE>& pipe) {
  copy_in_pieces<copy_alignment<Size, alignof(T)>::value>(group, (char*)to, (const char*)from, size);
}

}

// Found by the type of its argument, as a friend of the barrier is.
template <int SCOPE> __device__ void init(cuda::barrier<SCOPE>* barrier, int expected) {
  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier->word);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(at), "r"(expected) : "memory");
}
