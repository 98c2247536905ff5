// Matrix fragments of a warp, for shapes whose depth is 16: what their loads and stores ask for is what ptxas of CUDA 13
// makes for compute capability 9.0. Which lane holds which element is left open, so that values are not followed.
namespace nvcuda {
namespace wmma {

struct row_major { static constexpr bool IS_COLUMN = false; };
struct col_major { static constexpr bool IS_COLUMN = true; };
struct matrix_a { static constexpr int PART = 0; };
struct matrix_b { static constexpr int PART = 1; };
struct accumulator { static constexpr int PART = 2; };
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = row_major> struct fragment {
  static constexpr int PART = Use::PART;
  static constexpr bool IS_FACTOR = PART != 2;
  static constexpr bool IS_COLUMN = Layout::IS_COLUMN;
  static constexpr int SHORT = M == 8;
  static constexpr int HEIGHT = PART == 1 ? K : M;
  static constexpr int WIDTH = PART == 0 ? K : N;
  static constexpr bool IS_KNOWN = K == 16 && (sizeof(T) == 2 || (sizeof(T) == 4 && !IS_FACTOR));
  static constexpr int num_elements = IS_FACTOR ? 16 : M * N / 32;
  static constexpr int num_storage_elements = num_elements;
  T x[num_elements];
};

// The values of a fragment are not known from now on.
template <typename F> __device__ void lose(F& f) {
#pragma unroll
  for (int i = 0; i < F::num_elements; ++i) asm("mma;" : "=r"(f.x[i]));
}

// 16-bit factors in shared memory.
template <int ROWS, int COLUMNS, typename T> __device__ void load_by_matrix(const T* from, unsigned pitch) {
  constexpr int rows = ROWS % 16 == 0 ? 16 : 8;
  constexpr int columns = COLUMNS % 16 == 0 ? 16 : 8;
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  const T* own = from + lane % rows * pitch + lane / rows * 8;
  unsigned a, b, c, d;
#pragma unroll
  for (int down = 0; down < ROWS; down += rows) {
#pragma unroll
    for (int across = 0; across < COLUMNS; across += columns) {
      const T* at = own + down * pitch + across;
      if constexpr (rows == 16 && columns == 16)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at));
      else
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(at));
    }
  }
}

// By tiles of 8 x 8: lane 4 g + t has the elements 2 t and 2 t + 1 of row g, or of column g where they are split.
template <int ROWS, int COLUMNS, bool IS_SPLIT, bool IS_STORE, typename T>
__device__ void touch_tiles(T* from, unsigned pitch) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  unsigned group = lane >> 2, pair = (lane & 3) << 1;
  T* own = from + (IS_SPLIT ? pair * pitch + group : group * pitch + pair);
  unsigned a, b;
  asm("mma;" : "=r"(a), "=r"(b));
#pragma unroll
  for (int down = 0; down < ROWS; down += 8) {
#pragma unroll
    for (int across = 0; across < COLUMNS; across += 8) {
#pragma unroll
      for (int e = 0; e < (IS_SPLIT ? 2 : 1); ++e) {
        T* at = own + (down + e) * pitch + across;
        if constexpr (sizeof(T) == 4 && !IS_SPLIT) {
          if constexpr (IS_STORE) asm volatile("st.v2.u32 [%0], {%1,%2};" : : "l"(at), "r"(a), "r"(b));
          else asm volatile("ld.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(at));
        } else {
          if constexpr (IS_STORE) asm volatile("st.u32 [%0], %1;" : : "l"(at), "r"(a));
          else asm volatile("ld.u32 %0, [%1];" : "=r"(a) : "l"(at));
        }
      }
    }
  }
}

template <typename F, bool IS_COLUMN, bool IS_STORE, typename T> __device__ void touch(T* from, unsigned pitch) {
  constexpr int rows = IS_COLUMN ? F::WIDTH : F::HEIGHT;
  constexpr int columns = IS_COLUMN ? F::HEIGHT : F::WIDTH;
  constexpr bool is_split = sizeof(T) == 4 && IS_COLUMN != (F::SHORT == 1);
  if constexpr (!F::IS_KNOWN) {
    wmma_shape_not_modelled();
  } else if constexpr (F::IS_FACTOR) {
    if (__isShared(from)) load_by_matrix<rows, columns>(from, pitch);
    else touch_tiles<rows, columns, false, false>(from, pitch);
  } else {
    touch_tiles<rows, columns, is_split, IS_STORE>(from, pitch);
  }
}

template <typename F, typename T> __device__ void load_matrix_sync(F& f, const T* from, unsigned pitch) {
  touch<F, F::IS_COLUMN, false>((T*)from, pitch);
  lose(f);
}

template <typename F, typename T>
__device__ void load_matrix_sync(F& f, const T* from, unsigned pitch, layout_t layout) {
  if (layout == mem_col_major) touch<F, true, false>((T*)from, pitch);
  else touch<F, false, false>((T*)from, pitch);
  lose(f);
}

template <typename F, typename T>
__device__ void store_matrix_sync(T* to, const F& f, unsigned pitch, layout_t layout) {
  if (layout == mem_col_major) touch<F, true, true>(to, pitch);
  else touch<F, false, true>(to, pitch);
}

template <typename F, typename T> __device__ void fill_fragment(F& f, T value) {
#pragma unroll
  for (int i = 0; i < F::num_elements; ++i) f.x[i] = value;
}

template <typename D, typename A, typename B, typename C>
__device__ void mma_sync(D& d, const A& a, const B& b, const C& c, bool saturates = false) { lose(d); }

}
}
