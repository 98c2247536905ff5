// Atomic objects and references of the standard library: one access, or one atomic, of the object each.
namespace cuda {

enum memory_order {
  memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel,
  memory_order_seq_cst
};
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

template <typename T, int SCOPE = 0> struct atomic_ref {
  T* at;
  __device__ atomic_ref(T& object) : at(&object) {}
  __device__ T load(int order = 5) const { return *(volatile T*)at; }
  __device__ void store(T value, int order = 5) const { *(volatile T*)at = value; }
  __device__ T exchange(T value, int order = 5) const { return atomicExch(at, value); }
  __device__ T fetch_add(T value, int order = 5) const { return atomicAdd(at, value); }
  __device__ T fetch_sub(T value, int order = 5) const { return atomicAdd(at, -value); }
  __device__ T fetch_min(T value, int order = 5) const { return atomicMin(at, value); }
  __device__ T fetch_max(T value, int order = 5) const { return atomicMax(at, value); }
  __device__ T fetch_and(T value, int order = 5) const { return atomicAnd(at, value); }
  __device__ T fetch_or(T value, int order = 5) const { return atomicOr(at, value); }
  __device__ T fetch_xor(T value, int order = 5) const { return atomicXor(at, value); }
  __device__ T operator++(int) const { return atomicAdd(at, (T)1); }
  __device__ T operator+=(T value) const { return atomicAdd(at, value) + value; }
};

template <typename T, int SCOPE = 0> struct atomic {
  T object;
  __device__ T load(int order = 5) { return *(volatile T*)&object; }
  __device__ void store(T value, int order = 5) { *(volatile T*)&object = value; }
  __device__ T exchange(T value, int order = 5) { return atomicExch(&object, value); }
  __device__ T fetch_add(T value, int order = 5) { return atomicAdd(&object, value); }
  __device__ T fetch_sub(T value, int order = 5) { return atomicAdd(&object, -value); }
  __device__ T fetch_min(T value, int order = 5) { return atomicMin(&object, value); }
  __device__ T fetch_max(T value, int order = 5) { return atomicMax(&object, value); }
  __device__ T fetch_and(T value, int order = 5) { return atomicAnd(&object, value); }
  __device__ T fetch_or(T value, int order = 5) { return atomicOr(&object, value); }
  __device__ T fetch_xor(T value, int order = 5) { return atomicXor(&object, value); }
};

}
