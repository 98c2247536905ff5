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

template <size_t... I> struct index_sequence { static constexpr size_t size() { return sizeof...(I); } };
template <typename T, T... I> struct integer_sequence { static constexpr size_t size() { return sizeof...(I); } };

template <size_t N, size_t... I> struct indices_of : indices_of<N - 4, N - 4, N - 3, N - 2, N - 1, I...> {};
template <size_t... I> struct indices_of<0, I...> { using type = index_sequence<I...>; };
template <size_t... I> struct indices_of<1, I...> { using type = index_sequence<0, I...>; };
template <size_t... I> struct indices_of<2, I...> { using type = index_sequence<0, 1, I...>; };
template <size_t... I> struct indices_of<3, I...> { using type = index_sequence<0, 1, 2, I...>; };
template <size_t N> using make_index_sequence = typename indices_of<N>::type;
template <typename... T> using index_sequence_for = typename indices_of<sizeof...(T)>::type;

template <typename T, T N, T... I> struct integers_of : integers_of<T, N - 4, N - 4, N - 3, N - 2, N - 1, I...> {};
template <typename T, T... I> struct integers_of<T, 0, I...> { using type = integer_sequence<T, I...>; };
template <typename T, T... I> struct integers_of<T, 1, I...> { using type = integer_sequence<T, 0, I...>; };
template <typename T, T... I> struct integers_of<T, 2, I...> { using type = integer_sequence<T, 0, 1, I...>; };
template <typename T, T... I> struct integers_of<T, 3, I...> { using type = integer_sequence<T, 0, 1, 2, I...>; };
template <typename T, T N> using make_integer_sequence = typename integers_of<T, N>::type;

} // namespace std
