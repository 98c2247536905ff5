// Atomics of each type at one address, at a few and at one a lane, with the old value used or not.
#include <cuda_fp16.h>

#define UNUSED(name, type, ...)                                \
  __global__ void name(const int* in, type* out, int n) {      \
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;      \
    int v = in[i];                                             \
    __VA_ARGS__;                                               \
  }

#define USED(name, type, ...)                                  \
  __global__ void name(const int* in, type* out, int n) {      \
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;      \
    int v = in[i];                                             \
    type u = __VA_ARGS__;                                      \
    out[1024 + i] = u;                                         \
  }

UNUSED(g_add_one, int, atomicAdd(&out[0], 1))
UNUSED(g_add_two, int, atomicAdd(&out[0], 2))
UNUSED(g_add_parameter, int, atomicAdd(&out[0], n))
UNUSED(g_add_loaded, int, atomicAdd(&out[0], v))
UNUSED(g_max_loaded, int, atomicMax(&out[0], v))
USED(g_add_one_used, int, atomicAdd(&out[0], 1))
USED(g_max_loaded_used, int, atomicMax(&out[0], v))
UNUSED(g_add_float_one_address, float, atomicAdd(&out[0], 1.0f))
UNUSED(g_add_float_two_addresses, float, atomicAdd(&out[t & 1], 1.0f))
UNUSED(g_add_float_two_sectors, float, atomicAdd(&out[(t & 1) * 8], 1.0f))
UNUSED(g_add_float_four_addresses, float, atomicAdd(&out[t & 3], (float)v))
UNUSED(g_add_float_own, float, atomicAdd(&out[i], (float)v))
UNUSED(g_add_double_one_address, double, atomicAdd(&out[0], 1.0))
UNUSED(g_add_double_own, double, atomicAdd(&out[i], (double)v))
UNUSED(g_add_half2_one_address, __half2, atomicAdd(&out[0], __float2half2_rn(1.0f)))
UNUSED(g_cas_one_address, int, atomicCAS(&out[0], 0, v))
UNUSED(g_exch_one_address, int, atomicExch(&out[0], v))
UNUSED(g_and_one_address, int, atomicAnd(&out[0], v))
UNUSED(g_add_loop, int, for (int k = 0; k < n; k++) atomicAdd(&out[k], v))
UNUSED(g_add_one_thread, int, if (t == 0) atomicAdd(&out[0], v))
UNUSED(g_add_guarded, int, if (i < n * 10) atomicAdd(&out[0], 1))
UNUSED(g_add_block, int, atomicAdd(&out[blockIdx.x], v))
UNUSED(g_add_four_addresses, int, atomicAdd(&out[t & 3], 1))
UNUSED(g_add_own, int, atomicAdd(&out[i], v))
USED(g_add_own_used, int, atomicAdd(&out[i], v))
USED(g_add_four_used, int, atomicAdd(&out[t & 3], 1))

#define SHARED(name, type, ...)                                \
  __global__ void name(const int* in, type* out, int n) {      \
    __shared__ type s[256];                                    \
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;      \
    s[t] = (type)0;                                            \
    int v = in[i];                                             \
    __syncthreads();                                           \
    __VA_ARGS__;                                               \
    __syncthreads();                                           \
    out[i] = s[t];                                             \
  }

SHARED(s_add_one, int, atomicAdd(&s[0], 1))
SHARED(s_add_two_addresses, int, atomicAdd(&s[t & 1], v))
SHARED(s_add_own, int, atomicAdd(&s[t], v))
SHARED(s_add_float_own, float, atomicAdd(&s[t], (float)v))
SHARED(s_add_double_own, double, atomicAdd(&s[t], (double)v))
SHARED(s_add_float_stride, float, atomicAdd(&s[(t * 2) & 255], 1.0f))
SHARED(s_exch_own, int, atomicExch(&s[t], v))
