//! C++ as people write it: what its templates, members and functions make of an address.

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Access, Budget, KernelOptions, NamedLaunch, Severity, execute};

/// The byte of every access that lane 1 makes, in order; nothing may be said against the source.
fn bytes(source: &str) -> Vec<u64> {
    let parsed = parse_kernel(source, &KernelOptions::default());
    let errors: Vec<_> = parsed
        .diagnostics
        .iter()
        .filter(|one| one.severity() == Severity::Error)
        .map(ToString::to_string)
        .collect();
    assert!(errors.is_empty(), "{source}\n{errors:?}");
    let mut found = Vec::new();
    let mut observe = |access: &Access<'_>| {
        let first = access.request.addresses[0];
        found.push(access.request.addresses[1].wrapping_sub(first));
        true
    };
    let launch = NamedLaunch::new([1, 1, 1], [32, 1, 1]);
    execute(
        &parsed.program,
        &launch,
        32,
        Budget::default(),
        &mut observe,
    );
    found
}

#[track_caller]
fn strides(source: &str, expected: &[u64]) {
    assert_eq!(bytes(source), expected, "{source}");
}

#[test]
fn a_partial_specialisation_stands_for_the_arguments_that_it_fits() {
    strides(
        "template <typename T, int N> struct Pack { using type = T; };
        template <typename T> struct Pack<T, 4> { using type = float4; };
        template <typename T> struct Pack<T *, 4> { using type = double; };
        __global__ void k(Pack<float, 1>::type *a, Pack<float, 4>::type *b, Pack<float *, 4>::type *c) {
            a[threadIdx.x] = 0; b[threadIdx.x].x = 0; c[threadIdx.x] = 0;
        }",
        &[4, 16, 8],
    );
}

#[test]
fn an_alias_template_is_the_type_that_it_stands_for() {
    strides(
        "template <typename T, int N> struct Row { T cell[N]; };
        template <typename T> using Eight = Row<T, 8>;
        __global__ void k(Eight<short> *a) { a[threadIdx.x].cell[0] = 0; }",
        &[16],
    );
}

#[test]
fn a_template_is_given_to_a_template() {
    strides(
        "template <typename T> struct Twice { __device__ T operator()(T a) const { return a * 2; } };
        template <template <typename> class Op, typename T> __device__ T apply(T a) { return Op<T>()(a); }
        __global__ void k(int *a) { a[apply<Twice>(threadIdx.x)] = 0; }",
        &[8],
    );
}

#[test]
fn a_function_is_given_to_a_template_and_to_a_function() {
    strides(
        "using Function = int (*)(int);
        __device__ int thrice(int a) { return 3 * a; }
        template <Function F> __device__ int apply(int a) { return F(a); }
        __device__ int call(int (*f)(int), int a) { return f(a); }
        template <typename F> __device__ int pass(F f, int a) { return f(a); }
        __global__ void k(int *a) {
            int t = threadIdx.x;
            a[apply<thrice>(t)] = 0; a[call(thrice, t) + 100] = 0; a[pass(thrice, t) + 200] = 0; a[call(&thrice, t) + 300] = 0;
        }",
        &[12, 12, 12, 12],
    );
}

#[test]
fn members_without_a_name_are_the_structure_s_own() {
    strides(
        "struct Cell { int tag; union { float real; int whole; }; struct { short low, high; }; };
        __global__ void k(Cell *a, int *b) {
            __shared__ Cell s[32];
            int t = threadIdx.x;
            s[t].whole = 5 * t; a[t].high = 0; b[s[t].whole] = 0;
        }",
        &[12, 12, 12, 20],
    );
}

#[test]
fn a_structure_s_function_is_called_by_its_name() {
    strides(
        "template <typename T> struct Index { static __device__ int of(int a) { return a * sizeof(T); } };
        using Wide = Index<double>;
        __global__ void k(int *a) { a[Wide::of(threadIdx.x)] = 0; a[(Index<short>::of(threadIdx.x) + 1)] = 0; }",
        &[32, 8],
    );
}

#[test]
fn enumerations_have_the_size_of_their_base() {
    strides(
        "enum class Small : unsigned char { A, B }; typedef enum { X, Y = 5 } Named;
        __global__ void k(Small *a, Named *b) { a[threadIdx.x] = Small::B; b[Y * threadIdx.x] = X; }",
        &[1, 20],
    );
}

#[test]
fn type_traits_choose_types() {
    strides(
        "#include <type_traits>
        template <int B> struct Bytes { using type = std::conditional_t<B == 8, double, typename std::conditional<B == 4, int, short>::type>; };
        __global__ void k(Bytes<8>::type *a, typename Bytes<2>::type *b, std::aligned_storage<12, 16>::type *c) {
            a[threadIdx.x] = 0; b[threadIdx.x] = 0; c[threadIdx.x].bytes[0] = 0;
        }",
        &[8, 2, 16],
    );
}

#[test]
fn host_functions_are_passed_over() {
    strides(
        "#include <vector>
        static const char *TEXT = \"one \\
            text\";
        void k_launcher(int *a, std::vector<int> &v) { k<<<1, 32>>>(a); cudaDeviceSynchronize(); }
        __device__ int at(int i) { return 2 * i; }
        float at(std::vector<float> &v, int i) { return v.at(i); }
        __global__ void k(int *a) { a[at(threadIdx.x)] = 0; }",
        &[8],
    );
}

#[test]
fn bit_fields_are_read_and_written_in_their_unit() {
    let source = "struct Flags { unsigned low : 5; int mid : 12; unsigned char high : 4; };
        __global__ void k(int *a, Flags *f) {
            __shared__ Flags s[32];
            int t = threadIdx.x;
            s[t].low = 31; s[t].mid = 3 * t; s[t].high = t;
            __syncthreads();
            a[s[t].mid + s[t].low] = 0;
        }";
    // How often the unit is read on the way is the compiler's.
    assert_eq!(bytes(source).last(), Some(&12));
}

#[test]
fn packed_and_aligned_members_lie_where_the_attributes_say() {
    strides(
        "#pragma pack(push, 1)
        struct Tight { char tag; double value; };
        #pragma pack(pop)
        struct Loose { char tag; alignas(16) int value; };
        struct Base { int a; char b; }; struct Derived : Base { char c; };
        struct Made { Made() {} int a; char b; }; struct After : Made { char c; };
        __global__ void k(Tight *a, Loose *b, char *c) {
            a[threadIdx.x].tag = 0; b[threadIdx.x].tag = 0;
            c[threadIdx.x * sizeof(Derived)] = 0; c[threadIdx.x * sizeof(After) + 4096] = 0;
        }",
        &[9, 32, 12, 8],
    );
}

#[test]
fn a_tile_keeps_its_size_as_a_constant_and_as_a_parameter() {
    let kernel = |tile: &str, size: &str| {
        format!(
            "namespace cg = cooperative_groups;
            __device__ int of(const cg::thread_block_tile<16> &tile) {{ return tile.size(); }}
            template <typename Group> __device__ int any(const Group &tile) {{ return tile.num_threads(); }}
            __global__ void k(int *a) {{
                const auto block = cg::this_thread_block();
                {tile} = cg::tiled_partition<16>(block);
                a[threadIdx.x * {size}] = 0;
            }}"
        )
    };
    for tile in [
        "auto tile",
        "const auto tile",
        "const cg::thread_block_tile<16> tile",
    ] {
        for size in ["tile.size()", "of(tile)", "any(tile)"] {
            strides(&kernel(tile, size), &[64]);
        }
    }
}

#[test]
fn the_word_template_before_a_member_of_a_structure() {
    strides(
        "struct Rows { template <int By> static __device__ void put(float *to, int i) { to[i * By] = 1; } };
        template <typename R> __device__ void all(float *to) { R::template put<4>(to, threadIdx.x); }
        __global__ void k(float *a) { Rows::template put<2>(a, threadIdx.x); all<Rows>(a); }",
        &[8, 16],
    );
}

#[test]
fn a_constructor_copies_bits_into_a_member() {
    let pair = "struct Pair {
            int at[2];
            __device__ Pair() = default;
            __device__ explicit Pair(int2 bits) { memcpy(&at, &bits, sizeof(bits)); }
            __device__ int2 bits() const { int2 b; memcpy(&b, &at, sizeof(b)); return b; }
        };
        __device__ Pair made(int i) { return Pair{make_int2(i, 2 * i)}; }
        __device__ int last(Pair one) { return one.bits().y; }";
    strides(
        &format!(
            "{pair} __global__ void k(int *a) {{
                Pair p = made(threadIdx.x); Pair q = made(3 * threadIdx.x);
                a[p.at[1]] = 0; a[q.at[1]] = 0; a[last(p)] = 0;
            }}"
        ),
        &[8, 24, 8],
    );
    strides(
        &format!(
            "{pair} __global__ void k(int *a) {{
                Pair p(make_int2(1, threadIdx.x)); Pair q{{make_int2(1, 5 * threadIdx.x)}};
                a[p.at[1]] = 0; a[q.at[1]] = 0;
            }}"
        ),
        &[4, 20],
    );
}

#[test]
fn a_function_of_an_object_without_a_name_writes_elements_that_a_loop_chooses() {
    strides(
        "struct Row {
            int at[4];
            __device__ Row(int by) { for (int i = 0; i < 4; i++) at[i] = by * i; }
        };
        __device__ Row row(int by) { return Row(by); }
        __global__ void k(int *a) { Row two = row(threadIdx.x); a[two.at[2]] = 0; a[row(threadIdx.x).at[3]] = 0; }",
        &[8, 12],
    );
}

#[test]
fn a_reference_into_an_object_is_written_through_the_address_of_a_member() {
    strides(
        "struct Vec { int x, y; __device__ int &operator[](int i) { return (&x)[i]; } };
        __global__ void k(int *a) { Vec v; v[0] = threadIdx.x; v[1] = 2 * threadIdx.x; a[v.x] = 0; a[v.y] = 0; }",
        &[4, 8],
    );
}

#[test]
fn a_specialisation_without_arguments_stands_for_those_that_its_types_say() {
    strides(
        "template <typename T> __device__ T made(int a);
        template <> __device__ int2 made(int a) { return make_int2(a, 2 * a); }
        template <> __device__ int made(int a) { return 3 * a; }
        __global__ void k(int *a) { a[made<int>(threadIdx.x)] = 0; a[made<int2>(threadIdx.x).y] = 0; }",
        &[12, 8],
    );
    strides(
        "template <typename T> __device__ T step(T a) { return a; }
        template <> __device__ short step(short a) { return a * 2; }
        __global__ void k(int *a) { a[step((int)threadIdx.x)] = 0; a[step((short)threadIdx.x)] = 0; }",
        &[4, 8],
    );
}

#[test]
fn a_pair_of_halves_is_one_type_by_all_its_names() {
    strides(
        "template <typename T> struct Of; template <> struct Of<half> { using type = __half2; };
        template <typename T> __device__ T made(float a);
        template <> __device__ float2 made(float a) { return make_float2(a, a); }
        template <> __device__ half2 made(float a) { return __float2half2_rn(a); }
        __global__ void k(half2 *a) { using T = typename Of<half>::type; a[threadIdx.x] = made<T>(1.f); }",
        &[4],
    );
}

/// Two references to arrays that tell one parameter two sizes fit no function; one size, or a size that is given, does.
#[test]
fn one_parameter_has_one_size() {
    let text = |pitch: u32, given: &str| {
        format!(
            "template <int R, int C> __device__ float dot(const float (&a)[R][C], const float (&b)[R][C]) {{ return a[0][threadIdx.x] * b[0][threadIdx.x]; }}
            __global__ void k(float *o) {{
                __shared__ float a[4][32], b[4][{pitch}];
                o[threadIdx.x] = dot{given}(a, b);
            }}"
        )
    };
    let errors = |source: &str| {
        let parsed = parse_kernel(source, &KernelOptions::default());
        let all = parsed.diagnostics.iter();
        all.filter(|one| one.severity() == Severity::Error).count()
    };
    assert_eq!(errors(&text(32, "")), 0);
    assert_eq!(errors(&text(33, "")), 1);
    assert_eq!(errors(&text(32, "<4, 32>")), 0);
    assert!(errors(&text(32, "<4, 33>")) > 0);
    let square = |side: u32| {
        format!(
            "template <int N> __device__ void keep(float (&a)[N][N]) {{ a[threadIdx.y][threadIdx.x] = 1; }}
            __global__ void k(float *o) {{ __shared__ float a[32][{side}]; keep(a); o[threadIdx.x] = a[threadIdx.x][0]; }}"
        )
    };
    assert_eq!(errors(&square(32)), 0);
    assert_eq!(errors(&square(33)), 1);
}
