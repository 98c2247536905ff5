// As in atomics_totals.cu; these were not looked at before the rules were written.
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

UNUSED(b_inc_one_address, unsigned, atomicInc(&out[0], 1000u))
USED(b_add_float_used, float, atomicAdd(&out[0], 1.0f))
UNUSED(b_add_int_stride, int, atomicAdd(&out[t * 8], v))
USED(b_or_used, int, atomicOr(&out[0], v))
UNUSED(b_or_unused, int, atomicOr(&out[n], 1 << (t & 31)))
UNUSED(b_add_float_guarded, float, if (i < n * 10) atomicAdd(&out[0], (float)v))
UNUSED(b_add_float_block, float, atomicAdd(&out[blockIdx.x], 2.0f))
UNUSED(b_add_float_loop, float, for (int k = 0; k < n; k++) atomicAdd(&out[(t & 3) + 4 * k], 1.0f))
UNUSED(b_exch_own, int, atomicExch(&out[i], v))
UNUSED(b_add_double_pairs, double, atomicAdd(&out[t / 2], 1.0))
UNUSED(b_add_u64_one_address, unsigned long long, atomicAdd(&out[0], 1ull))
UNUSED(b_max_u64_one_address, unsigned long long, atomicMax(&out[0], (unsigned long long)v))
UNUSED(b_min_unsigned_warp, unsigned, atomicMin(&out[t / 32], (unsigned)v))
USED(b_sub_used_loop, int, atomicSub(&out[n], 3))
UNUSED(b_xor_divergent, int, if (t > 20) atomicXor(&out[0], v))
USED(b_cas_own_used, int, atomicCAS(&out[i], 0, v))
UNUSED(b_add_half_one, __half2, atomicAdd(&out[t & 1], __float2half2_rn(1.0f)))
