// Numbers of 8 bits: a byte each, converted by plain arithmetic. A number that is none is not told from the largest.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

__device__ float __lanescope_fp8_value(unsigned char bits, int form) {
  unsigned int shift = form == __NV_E4M3 ? 20u : 21u;
  float scale = form == __NV_E4M3 ? 0x1p120f : 0x1p112f;
  return __uint_as_float((bits & 0x80u) << 24 | (bits & 0x7fu) << shift) * scale;
}

__device__ unsigned char __nv_cvt_float_to_fp8(float value, int saturation, int form) {
  unsigned int shift = form == __NV_E4M3 ? 20u : 21u;
  float scale = form == __NV_E4M3 ? 0x1p-120f : 0x1p-112f;
  unsigned int bits = __float_as_uint(value * scale);
  unsigned int rounded = ((bits & 0x7fffffffu) + (1u << (shift - 1)) - 1u + (bits >> shift & 1u)) >> shift;
  return (unsigned char)(min(rounded, form == __NV_E4M3 ? 0x7eu : 0x7bu) | bits >> 24 & 0x80u);
}

__device__ __half __nv_cvt_fp8_to_halfraw(unsigned char bits, int form) {
  return __float2half(__lanescope_fp8_value(bits, form));
}

__device__ unsigned char __nv_cvt_halfraw_to_fp8(__half value, int saturation, int form) {
  return __nv_cvt_float_to_fp8(__half2float(value), saturation, form);
}

__device__ __half2 __nv_cvt_fp8x2_to_halfraw2(unsigned short bits, int form) {
  return __floats2half2_rn(__lanescope_fp8_value(bits & 255, form), __lanescope_fp8_value(bits >> 8, form));
}

__device__ unsigned short __nv_cvt_float2_to_fp8x2(float2 value, int saturation, int form) {
  return __nv_cvt_float_to_fp8(value.x, saturation, form) | __nv_cvt_float_to_fp8(value.y, saturation, form) << 8;
}

struct __nv_fp8_e4m3 {
  unsigned char __x;
  __nv_fp8_e4m3() = default;
  __device__ explicit __nv_fp8_e4m3(float value) : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3)) {}
  __device__ explicit __nv_fp8_e4m3(double value) : __x(__nv_cvt_float_to_fp8((float)value, __NV_SATFINITE, __NV_E4M3)) {}
  __device__ explicit __nv_fp8_e4m3(__half value) : __x(__nv_cvt_float_to_fp8((float)value, __NV_SATFINITE, __NV_E4M3)) {}
  __device__ explicit __nv_fp8_e4m3(int value) : __x(__nv_cvt_float_to_fp8((float)value, __NV_SATFINITE, __NV_E4M3)) {}
  __device__ operator float() const { return __lanescope_fp8_value(__x, __NV_E4M3); }
};
struct __nv_fp8x2_e4m3 {
  unsigned short __x;
  __nv_fp8x2_e4m3() = default;
  __device__ explicit __nv_fp8x2_e4m3(float2 value) : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, __NV_E4M3)) {}
  __device__ operator float2() const {
    return make_float2(__lanescope_fp8_value(__x & 255, __NV_E4M3), __lanescope_fp8_value(__x >> 8, __NV_E4M3));
  }
};
struct __nv_fp8x4_e4m3 {
  unsigned int __x;
  __nv_fp8x4_e4m3() = default;
  __device__ explicit __nv_fp8x4_e4m3(float4 value)
      : __x(__nv_cvt_float2_to_fp8x2(make_float2(value.x, value.y), __NV_SATFINITE, __NV_E4M3)
            | __nv_cvt_float2_to_fp8x2(make_float2(value.z, value.w), __NV_SATFINITE, __NV_E4M3) << 16) {}
  __device__ operator float4() const {
    return make_float4(__lanescope_fp8_value(__x & 255, __NV_E4M3), __lanescope_fp8_value(__x >> 8 & 255, __NV_E4M3),
                       __lanescope_fp8_value(__x >> 16 & 255, __NV_E4M3), __lanescope_fp8_value(__x >> 24, __NV_E4M3));
  }
};
struct __nv_fp8_e5m2 {
  unsigned char __x;
  __nv_fp8_e5m2() = default;
  __device__ explicit __nv_fp8_e5m2(float value) : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E5M2)) {}
  __device__ explicit __nv_fp8_e5m2(double value) : __x(__nv_cvt_float_to_fp8((float)value, __NV_SATFINITE, __NV_E5M2)) {}
  __device__ explicit __nv_fp8_e5m2(__half value) : __x(__nv_cvt_float_to_fp8((float)value, __NV_SATFINITE, __NV_E5M2)) {}
  __device__ explicit __nv_fp8_e5m2(int value) : __x(__nv_cvt_float_to_fp8((float)value, __NV_SATFINITE, __NV_E5M2)) {}
  __device__ operator float() const { return __lanescope_fp8_value(__x, __NV_E5M2); }
};
struct __nv_fp8x2_e5m2 {
  unsigned short __x;
  __nv_fp8x2_e5m2() = default;
  __device__ explicit __nv_fp8x2_e5m2(float2 value) : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, __NV_E5M2)) {}
  __device__ operator float2() const {
    return make_float2(__lanescope_fp8_value(__x & 255, __NV_E5M2), __lanescope_fp8_value(__x >> 8, __NV_E5M2));
  }
};
struct __nv_fp8x4_e5m2 {
  unsigned int __x;
  __nv_fp8x4_e5m2() = default;
  __device__ explicit __nv_fp8x4_e5m2(float4 value)
      : __x(__nv_cvt_float2_to_fp8x2(make_float2(value.x, value.y), __NV_SATFINITE, __NV_E5M2)
            | __nv_cvt_float2_to_fp8x2(make_float2(value.z, value.w), __NV_SATFINITE, __NV_E5M2) << 16) {}
  __device__ operator float4() const {
    return make_float4(__lanescope_fp8_value(__x & 255, __NV_E5M2), __lanescope_fp8_value(__x >> 8 & 255, __NV_E5M2),
                       __lanescope_fp8_value(__x >> 16 & 255, __NV_E5M2), __lanescope_fp8_value(__x >> 24, __NV_E5M2));
  }
};
