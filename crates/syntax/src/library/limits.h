// What of the standard library's limits kernels use.
#define INT8_C(value) value
#define UINT8_C(value) value
#define INT16_C(value) value
#define UINT16_C(value) value
#define INT32_C(value) value
#define UINT32_C(value) value##U
#define INT64_C(value) value##L
#define UINT64_C(value) value##UL
namespace std {

template <typename T> struct numeric_limits;
template <> struct numeric_limits<bool> {
  static __device__ constexpr bool min() { return false; }
  static __device__ constexpr bool max() { return true; }
  static __device__ constexpr bool lowest() { return false; }
};
template <> struct numeric_limits<char> {
  static __device__ constexpr char min() { return -128; }
  static __device__ constexpr char max() { return 127; }
  static __device__ constexpr char lowest() { return -128; }
};
template <> struct numeric_limits<signed char> {
  static __device__ constexpr signed char min() { return -128; }
  static __device__ constexpr signed char max() { return 127; }
  static __device__ constexpr signed char lowest() { return -128; }
};
template <> struct numeric_limits<unsigned char> {
  static __device__ constexpr unsigned char min() { return 0; }
  static __device__ constexpr unsigned char max() { return 255; }
  static __device__ constexpr unsigned char lowest() { return 0; }
};
template <> struct numeric_limits<short> {
  static __device__ constexpr short min() { return -32768; }
  static __device__ constexpr short max() { return 32767; }
  static __device__ constexpr short lowest() { return -32768; }
};
template <> struct numeric_limits<unsigned short> {
  static __device__ constexpr unsigned short min() { return 0; }
  static __device__ constexpr unsigned short max() { return 65535; }
  static __device__ constexpr unsigned short lowest() { return 0; }
};
template <> struct numeric_limits<int> {
  static __device__ constexpr int min() { return -2147483647 - 1; }
  static __device__ constexpr int max() { return 2147483647; }
  static __device__ constexpr int lowest() { return -2147483647 - 1; }
};
template <> struct numeric_limits<unsigned int> {
  static __device__ constexpr unsigned int min() { return 0u; }
  static __device__ constexpr unsigned int max() { return 4294967295u; }
  static __device__ constexpr unsigned int lowest() { return 0u; }
};
template <> struct numeric_limits<long> {
  static __device__ constexpr long min() { return -9223372036854775807l - 1; }
  static __device__ constexpr long max() { return 9223372036854775807l; }
  static __device__ constexpr long lowest() { return -9223372036854775807l - 1; }
};
template <> struct numeric_limits<unsigned long> {
  static __device__ constexpr unsigned long min() { return 0ul; }
  static __device__ constexpr unsigned long max() { return 18446744073709551615ul; }
  static __device__ constexpr unsigned long lowest() { return 0ul; }
};
template <> struct numeric_limits<long long> {
  static __device__ constexpr long long min() { return -9223372036854775807ll - 1; }
  static __device__ constexpr long long max() { return 9223372036854775807ll; }
  static __device__ constexpr long long lowest() { return -9223372036854775807ll - 1; }
};
template <> struct numeric_limits<unsigned long long> {
  static __device__ constexpr unsigned long long min() { return 0ull; }
  static __device__ constexpr unsigned long long max() { return 18446744073709551615ull; }
  static __device__ constexpr unsigned long long lowest() { return 0ull; }
};
template <> struct numeric_limits<float> {
  static __device__ constexpr float min() { return 1.17549435e-38f; }
  static __device__ constexpr float max() { return 3.40282347e+38f; }
  static __device__ constexpr float lowest() { return -3.40282347e+38f; }
  static __device__ constexpr float epsilon() { return 1.1920929e-7f; }
  static __device__ constexpr float infinity() { return 1.0f / 0; }
  static __device__ constexpr float quiet_NaN() { return 0 / (1.0f - 1); }
};
template <> struct numeric_limits<double> {
  static __device__ constexpr double min() { return 2.2250738585072014e-308; }
  static __device__ constexpr double max() { return 1.7976931348623157e+308; }
  static __device__ constexpr double lowest() { return -1.7976931348623157e+308; }
  static __device__ constexpr double epsilon() { return 2.220446049250313e-16; }
  static __device__ constexpr double infinity() { return 1.0 / 0; }
  static __device__ constexpr double quiet_NaN() { return 0 / (1.0 - 1); }
};

} // namespace std
