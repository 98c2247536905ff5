// One atomic of each kind, at an address that all lanes share or that differs between them.
// Most are one kernel with another atomic in its midst: a macro writes it.
#define KERNEL_WITH_CAST(name, ...)                      \
  __global__ void name(const int* in, int* out, int n) { \
    __shared__ int w[64];                                \
    int t = threadIdx.x, u = 0;                          \
    if (t < 64) w[t] = 0;                                \
    int v = in[blockIdx.x * 128 + t];                    \
    __syncthreads();                                     \
    __VA_ARGS__;                                         \
    __syncthreads();                                     \
    out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;      \
  }

#define KERNEL(name, ...)                                \
  __global__ void name(const int* in, int* out, int n) { \
    __shared__ int w[64];                                \
    int t = threadIdx.x;                                 \
    int u = 0;                                           \
    if (t < 64) w[t] = 0;                                \
    int v = in[blockIdx.x * 128 + t];                    \
    __syncthreads();                                     \
    __VA_ARGS__;                                         \
    __syncthreads();                                     \
    out[blockIdx.x * 128 + t] = w[t & 63] + u;           \
  }

KERNEL_WITH_CAST(atomic_add_var, atomicAdd(&w[0], v + t))
KERNEL_WITH_CAST(atomic_add_one, atomicAdd(&w[0], 1))
KERNEL_WITH_CAST(atomic_add_five, atomicAdd(&w[0], 5))
KERNEL_WITH_CAST(atomic_add_var_used, u = atomicAdd(&w[0], v + t))
KERNEL_WITH_CAST(atomic_add_one_used, u = atomicAdd(&w[0], 1))
KERNEL_WITH_CAST(atomic_max_var, atomicMax(&w[0], v + t))
KERNEL_WITH_CAST(atomic_min_var, atomicMin(&w[0], v + t))
KERNEL_WITH_CAST(atomic_and_var, atomicAnd(&w[0], v + t))
KERNEL_WITH_CAST(atomic_or_var, atomicOr(&w[0], v + t))
KERNEL_WITH_CAST(atomic_xor_var, atomicXor(&w[0], v + t))
KERNEL_WITH_CAST(atomic_max_used, u = atomicMax(&w[0], v + t))
KERNEL_WITH_CAST(atomic_add_block, atomicAdd(&w[blockIdx.x & 63], v + t))
KERNEL_WITH_CAST(atomic_add_param, atomicAdd(&w[n & 63], v + t))
KERNEL_WITH_CAST(atomic_add_warp, atomicAdd(&w[t / 32], v + t))
KERNEL_WITH_CAST(atomic_max_warp, atomicMax(&w[t / 32], v + t))
KERNEL_WITH_CAST(atomic_add_data, atomicAdd(&w[v & 63], t))
KERNEL_WITH_CAST(atomic_exch_const, atomicExch(&w[0], v + t))
KERNEL_WITH_CAST(atomic_sub_var, atomicSub(&w[0], v + t))
__global__ void atomic_inc_const(const int* in, unsigned* out, int n) {
  __shared__ unsigned w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicInc(&w[0], 1000u);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (unsigned)u;
}
KERNEL_WITH_CAST(atomic_add_branch, if (t % 3 == 0) atomicAdd(&w[0], v + t))
KERNEL_WITH_CAST(atomic_add_branch_one, if (t % 3 == 0) atomicAdd(&w[0], 1))
KERNEL_WITH_CAST(atomic_max_varied, atomicMax(&w[(t * 2) & 63], v + t))
KERNEL_WITH_CAST(atomic_add_uniform_value, atomicAdd(&w[0], n))
KERNEL_WITH_CAST(atomic_sub_one, atomicSub(&w[t & 7], 1))
KERNEL_WITH_CAST(atomic_add_minus_one, atomicAdd(&w[t & 7], -1))
KERNEL_WITH_CAST(atomic_add_two_varied, atomicAdd(&w[t & 7], 2))
__global__ void atomic_inc_varied(const int* in, unsigned* out, int n) {
  __shared__ unsigned w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicInc(&w[t & 7], 1000u);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (unsigned)u;
}
KERNEL_WITH_CAST(atomic_or_varied, atomicOr(&w[t & 7], 1 << (v + t & 31)))
KERNEL_WITH_CAST(atomic_max_one_thread, if (t == 0) atomicMax(&w[0], v + t))
__global__ void atomic_single_scalar_add(const int* in, int* out, int n) {
  __shared__ int w[64];
  __shared__ int total;
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  if (t == 0) total = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&total, v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + total + (int)u;
}
KERNEL_WITH_CAST(atomic_cas_const, atomicCAS(&w[0], 0, v + t))
KERNEL(atomic_cas_varied, u = atomicCAS(&w[t & 63], 5, v + t))
KERNEL(atomic_cas_two_way, u = atomicCAS(&w[(t * 2) & 63], 5, v + t))
KERNEL(atomic_cas_pairs, u = atomicCAS(&w[(t / 2) & 63], 5, v + t))
KERNEL(atomic_cas_unused_varied, atomicCAS(&w[t & 63], 5, v + t))
KERNEL(atomic_cas_one_used, u = atomicCAS(&w[0], 5, v + t))
__global__ void atomic_cas_u64_varied(const int* in, unsigned long long* out, int n) {
  __shared__ unsigned long long w[64];
  int t = threadIdx.x;
  unsigned long long u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicCAS(&w[t & 63], 5ull, (unsigned long long)(v + t));
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
KERNEL(atomic_exch_varied, u = atomicExch(&w[t & 63], v + t))
KERNEL(atomic_exch_used, u = atomicExch(&w[0], v + t))
__global__ void atomic_exch_u64(const int* in, unsigned long long* out, int n) {
  __shared__ unsigned long long w[64];
  int t = threadIdx.x;
  unsigned long long u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicExch(&w[t & 63], (unsigned long long)(v + t));
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
KERNEL(atomic_sub_used, u = atomicSub(&w[0], v + t))
KERNEL(atomic_or_used, u = atomicOr(&w[0], v + t))
__global__ void atomic_early_return_add(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t >= n + 90) return;
  atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_early_return_whole(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (blockIdx.x >= n) return;
  atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
KERNEL(atomic_uniform_if_add, if (n > 3) atomicAdd(&w[0], v + t))
KERNEL(atomic_uniform_if_block, if (blockIdx.x & 1) atomicAdd(&w[0], v + t))
KERNEL(atomic_divergent_loop_add, for (int i = 0; i < (t & 3); i++) atomicAdd(&w[0], v + t))
__global__ void atomic_uniform_loop_add(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  #pragma unroll 1
  for (int i = 0; i < n; i++) atomicAdd(&w[i], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
KERNEL(atomic_guarded_add, if (blockIdx.x * 128 + t < 500) atomicAdd(&w[0], v + t))
KERNEL(atomic_add_threadidx_y, atomicAdd(&w[threadIdx.y], v + t))
KERNEL(atomic_add_popc_pred, if (v + t > 60) atomicAdd(&w[0], 1))
KERNEL(atomic_g_add_var, atomicAdd(&out[512], v + t))
KERNEL(atomic_g_add_one, atomicAdd(&out[512], 1))
KERNEL(atomic_g_add_used, u = atomicAdd(&out[512], v + t))
KERNEL(atomic_g_max, atomicMax(&out[512], v + t))
KERNEL(atomic_g_add_varied, atomicAdd(&out[512 + (t & 15)], v + t))
KERNEL(atomic_g_add_varied_used, u = atomicAdd(&out[512 + (t & 15)], v + t))
