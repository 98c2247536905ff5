// One atomic of each kind, at an address that all lanes share or that differs between them.
__global__ void atomic_add_var(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_one(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[0], 1);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_five(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[0], 5);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_var_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_one_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicAdd(&w[0], 1);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_max_var(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicMax(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_min_var(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicMin(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_and_var(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAnd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_or_var(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicOr(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_xor_var(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicXor(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_max_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicMax(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_block(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[blockIdx.x & 63], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_param(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[n & 63], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_warp(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[t / 32], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_max_warp(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicMax(&w[t / 32], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_data(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[v & 63], t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_exch_const(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicExch(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_sub_var(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicSub(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
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
__global__ void atomic_add_branch(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t % 3 == 0) atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_branch_one(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t % 3 == 0) atomicAdd(&w[0], 1);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_max_varied(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicMax(&w[(t * 2) & 63], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_uniform_value(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[0], n);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_sub_one(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicSub(&w[t & 7], 1);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_minus_one(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[t & 7], -1);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_add_two_varied(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[t & 7], 2);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
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
__global__ void atomic_or_varied(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicOr(&w[t & 7], 1 << (v + t & 31));
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_max_one_thread(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t == 0) atomicMax(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
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
__global__ void atomic_cas_const(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x, u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicCAS(&w[0], 0, v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + (int)u;
}
__global__ void atomic_cas_varied(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicCAS(&w[t & 63], 5, v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_cas_two_way(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicCAS(&w[(t * 2) & 63], 5, v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_cas_pairs(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicCAS(&w[(t / 2) & 63], 5, v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_cas_unused_varied(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicCAS(&w[t & 63], 5, v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_cas_one_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicCAS(&w[0], 5, v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
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
__global__ void atomic_exch_varied(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicExch(&w[t & 63], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_exch_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicExch(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
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
__global__ void atomic_sub_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicSub(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_or_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicOr(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
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
__global__ void atomic_uniform_if_add(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (n > 3) atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_uniform_if_block(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (blockIdx.x & 1) atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_divergent_loop_add(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int i = 0; i < (t & 3); i++) atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
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
__global__ void atomic_guarded_add(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (blockIdx.x * 128 + t < 500) atomicAdd(&w[0], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_add_threadidx_y(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&w[threadIdx.y], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_add_popc_pred(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (v + t > 60) atomicAdd(&w[0], 1);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_g_add_var(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&out[512], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_g_add_one(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&out[512], 1);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_g_add_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicAdd(&out[512], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_g_max(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicMax(&out[512], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_g_add_varied(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  atomicAdd(&out[512 + (t & 15)], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
__global__ void atomic_g_add_varied_used(const int* in, int* out, int n) {
  __shared__ int w[64];
  int t = threadIdx.x;
  int u = 0;
  if (t < 64) w[t] = 0;
  int v = in[blockIdx.x * 128 + t];
  __syncthreads();
  u = atomicAdd(&out[512 + (t & 15)], v + t);
  __syncthreads();
  out[blockIdx.x * 128 + t] = w[t & 63] + u;
}
