// What of the standard library's type traits kernels use.
namespace std {

template <bool V> struct bool_constant { static constexpr bool value = V; };
template <typename T, T V> struct integral_constant { static constexpr T value = V; };
struct true_type { static constexpr bool value = true; };
struct false_type { static constexpr bool value = false; };

template <bool V, typename T, typename F> struct conditional { using type = T; };
template <typename T, typename F> struct conditional<false, T, F> { using type = F; };
template <bool V, typename T, typename F> using conditional_t = typename conditional<V, T, F>::type;

template <bool V, typename T = void> struct enable_if { using type = T; };
template <bool V, typename T = void> using enable_if_t = T;

template <typename T> struct remove_const { using type = T; };
template <typename T> struct remove_reference { using type = T; };
template <typename T> struct remove_cv { using type = T; };
template <typename T> struct decay { using type = T; };
template <typename T> using remove_const_t = T;
template <typename T> using remove_reference_t = T;
template <typename T> using remove_cv_t = T;
template <typename T> using remove_cvref_t = T;
template <typename T> using decay_t = T;
template <typename T> struct remove_pointer { using type = T; };
template <typename T> struct remove_pointer<T*> { using type = T; };
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;

template <typename T> struct make_unsigned { using type = T; };
template <> struct make_unsigned<char> { using type = unsigned char; };
template <> struct make_unsigned<short> { using type = unsigned short; };
template <> struct make_unsigned<int> { using type = unsigned int; };
template <> struct make_unsigned<long long> { using type = unsigned long long; };
template <typename T> using make_unsigned_t = typename make_unsigned<T>::type;

template <size_t BYTES, size_t ALIGN = 8> struct aligned_storage {
  struct alignas(ALIGN) type { unsigned char bytes[BYTES]; };
};
template <size_t BYTES, size_t ALIGN = 8> using aligned_storage_t = typename aligned_storage<BYTES, ALIGN>::type;

} // namespace std
