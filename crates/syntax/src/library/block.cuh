// Collective primitives of a block and of a warp: what they do to memory, as CUB 3 has it.
namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

struct Sum {
  template <typename A, typename B> __device__ auto operator()(A a, B b) const { return a + b; }
};
struct Max {
  template <typename A, typename B> __device__ auto operator()(A a, B b) const { return a > b ? a : b; }
};
struct Min {
  template <typename A, typename B> __device__ auto operator()(A a, B b) const { return a < b ? a : b; }
};

__device__ inline int block_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// A warp's primitives exchange registers; shared memory is not touched.
template <typename T, int LANES = 32, int ARCH = 0> class WarpReduce {
public:
  struct TempStorage { char unused; };
  TempStorage& storage;
  __device__ WarpReduce(TempStorage& temp) : storage(temp) {}
  template <typename Op> __device__ T Reduce(T value, Op op) {
    for (int by = 1; by < LANES; by *= 2) value = op(value, __shfl_down_sync(0xffffffff, value, by, LANES));
    return value;
  }
  __device__ T Sum(T value) {
    for (int by = 1; by < LANES; by *= 2) value = value + __shfl_down_sync(0xffffffff, value, by, LANES);
    return value;
  }
};

template <typename T, int LANES = 32, int ARCH = 0> class WarpScan {
public:
  struct TempStorage { char unused; };
  TempStorage& storage;
  __device__ WarpScan(TempStorage& temp) : storage(temp) {}
  __device__ void InclusiveSum(T value, T& result) {
    int lane = block_rank() % LANES;
    for (int by = 1; by < LANES; by *= 2) {
      T before = __shfl_up_sync(0xffffffff, value, by, LANES);
      value = lane >= by ? value + before : value;
    }
    result = value;
  }
  __device__ void ExclusiveSum(T value, T& result) {
    T inclusive;
    InclusiveSum(value, inclusive);
    result = inclusive - value;
  }
};

template <typename T, int X, int ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int ARCH = 0>
class BlockReduce {
public:
  static constexpr int THREADS = X * Y * Z;
  static constexpr int WARPS = (THREADS + 31) / 32;
  struct alignas(16) TempStorage {
    char warp_reduce[WARPS];
    T aggregates[WARPS];
    T prefix;
  };
  TempStorage& storage;
  __device__ BlockReduce(TempStorage& temp) : storage(temp) {
    if constexpr (ALGORITHM != BLOCK_REDUCE_WARP_REDUCTIONS) cub_algorithm_not_modelled();
  }
  template <typename Op> __device__ T Reduce(T value, Op op) {
    int rank = block_rank();
    for (int by = 1; by < 32; by *= 2) value = op(value, __shfl_down_sync(0xffffffff, value, by));
    if (rank % 32 == 0) storage.aggregates[rank / 32] = value;
    __syncthreads();
    if (rank == 0) {
#pragma unroll
      for (int warp = 1; warp < WARPS; ++warp) value = op(value, storage.aggregates[warp]);
    }
    return value;
  }
  __device__ T Sum(T value) {
    int rank = block_rank();
    for (int by = 1; by < 32; by *= 2) value = value + __shfl_down_sync(0xffffffff, value, by);
    if (rank % 32 == 0) storage.aggregates[rank / 32] = value;
    __syncthreads();
    if (rank == 0) {
#pragma unroll
      for (int warp = 1; warp < WARPS; ++warp) value = value + storage.aggregates[warp];
    }
    return value;
  }
};

template <typename T, int X, int Y = 1, int Z = 1, int ARCH = 0> class BlockAdjacentDifference {
public:
  static constexpr int THREADS = X * Y * Z;
  struct TempStorage {
    T first[THREADS];
    T last[THREADS];
  };
  TempStorage& storage;
  __device__ BlockAdjacentDifference(TempStorage& temp) : storage(temp) {}
  template <int ITEMS, typename Out, typename Op>
  __device__ void SubtractLeft(T (&input)[ITEMS], Out (&output)[ITEMS], Op op) {
    int rank = block_rank();
    storage.last[rank] = input[ITEMS - 1];
    __syncthreads();
#pragma unroll
    for (int item = ITEMS - 1; item > 0; --item) output[item] = op(input[item], input[item - 1]);
    if (rank == 0) output[0] = input[0];
    else output[0] = op(input[0], storage.last[rank - 1]);
  }
  template <int ITEMS, typename Out, typename Op>
  __device__ void SubtractRight(T (&input)[ITEMS], Out (&output)[ITEMS], Op op) {
    int rank = block_rank();
    storage.first[rank] = input[0];
    __syncthreads();
#pragma unroll
    for (int item = 0; item < ITEMS - 1; ++item) output[item] = op(input[item], input[item + 1]);
    if (rank == THREADS - 1) output[ITEMS - 1] = input[ITEMS - 1];
    else output[ITEMS - 1] = op(input[ITEMS - 1], storage.first[rank + 1]);
  }
};

// A warp reads in stripes and changes over to consecutive items through shared memory.
template <typename T, int X, int ITEMS, int ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockLoad {
public:
  static constexpr int THREADS = X * Y * Z;
  static constexpr bool PADS = ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0;
  static constexpr bool EXCHANGES = ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE;
  struct alignas(16) TempStorage {
    T items[EXCHANGES ? THREADS * ITEMS + (PADS ? THREADS * ITEMS / 32 : 0) : 1];
  };
  TempStorage& storage;
  __device__ BlockLoad(TempStorage& temp) : storage(temp) {
    if constexpr (ALGORITHM != BLOCK_LOAD_DIRECT && !EXCHANGES) cub_algorithm_not_modelled();
  }
  __device__ void Load(const T* block, T (&items)[ITEMS]) {
    int rank = block_rank();
    if (EXCHANGES) {
      int lane = rank % 32, first = rank / 32 * 32 * ITEMS;
#pragma unroll
      for (int item = 0; item < ITEMS; ++item) items[item] = block[first + item * 32 + lane];
#pragma unroll
      for (int item = 0; item < ITEMS; ++item) {
        int at = first + item * 32 + lane;
        storage.items[PADS ? at + (at >> 5) : at] = items[item];
      }
      __syncwarp();
#pragma unroll
      for (int item = 0; item < ITEMS; ++item) {
        int at = first + lane * ITEMS + item;
        items[item] = storage.items[PADS ? at + (at >> 5) : at];
      }
    } else {
#pragma unroll
      for (int item = 0; item < ITEMS; ++item) items[item] = block[rank * ITEMS + item];
    }
  }
};

template <typename T, int X, int ITEMS, int ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockStore {
public:
  static constexpr int THREADS = X * Y * Z;
  static constexpr bool PADS = ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0;
  static constexpr bool EXCHANGES = ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE;
  struct alignas(16) TempStorage {
    T items[EXCHANGES ? THREADS * ITEMS + (PADS ? THREADS * ITEMS / 32 : 0) : 1];
  };
  TempStorage& storage;
  __device__ BlockStore(TempStorage& temp) : storage(temp) {
    if constexpr (ALGORITHM != BLOCK_STORE_DIRECT && !EXCHANGES) cub_algorithm_not_modelled();
  }
  __device__ void Store(T* block, T (&items)[ITEMS]) {
    int rank = block_rank();
    if (EXCHANGES) {
      int lane = rank % 32, first = rank / 32 * 32 * ITEMS;
#pragma unroll
      for (int item = 0; item < ITEMS; ++item) {
        int at = first + lane * ITEMS + item;
        storage.items[PADS ? at + (at >> 5) : at] = items[item];
      }
      __syncwarp();
#pragma unroll
      for (int item = 0; item < ITEMS; ++item) {
        int at = first + item * 32 + lane;
        items[item] = storage.items[PADS ? at + (at >> 5) : at];
      }
#pragma unroll
      for (int item = 0; item < ITEMS; ++item) block[first + item * 32 + lane] = items[item];
    } else {
#pragma unroll
      for (int item = 0; item < ITEMS; ++item) block[rank * ITEMS + item] = items[item];
    }
  }
};

// The first warp rakes: each of its lanes scans a segment.
template <typename T, int X, int ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCH = 0>
class BlockScan {
public:
  static constexpr int THREADS = X * Y * Z;
  static constexpr int RAKES = THREADS < 32 ? THREADS : 32;
  static constexpr int SEGMENT = (THREADS + RAKES - 1) / RAKES;
  static constexpr int PITCH = SEGMENT + (SEGMENT > 2 && SEGMENT % 2 == 0 ? 1 : 0);
  struct alignas(16) TempStorage {
    char warp_scan[16];
    T grid[RAKES * PITCH];
    T total;
  };
  TempStorage& storage;
  __device__ BlockScan(TempStorage& temp) : storage(temp) {
    if constexpr (ALGORITHM == BLOCK_SCAN_WARP_SCANS || THREADS <= 32) cub_algorithm_not_modelled();
  }
  __device__ void ExclusiveSum(T value, T& result, T& total) {
    int rank = block_rank();
    int own = rank + (PITCH > SEGMENT ? rank / SEGMENT : 0);
    storage.grid[own] = value;
    __syncthreads();
    if (rank < RAKES) {
      T segment[SEGMENT];
#pragma unroll
      for (int i = 0; i < SEGMENT; ++i) segment[i] = storage.grid[rank * PITCH + i];
      T sum = segment[0];
#pragma unroll
      for (int i = 1; i < SEGMENT; ++i) sum = sum + segment[i];
      T inclusive = sum;
      for (int by = 1; by < 32; by *= 2) {
        T before = __shfl_up_sync(0xffffffff, inclusive, by);
        inclusive = rank >= by ? inclusive + before : inclusive;
      }
      T all = __shfl_sync(0xffffffff, inclusive, 31);
      T running = inclusive - sum;
#pragma unroll
      for (int i = 0; i < SEGMENT; ++i) {
        storage.grid[rank * PITCH + i] = running;
        running = running + segment[i];
      }
      if (rank == 0) storage.total = all;
    }
    __syncthreads();
    result = storage.grid[own];
    total = storage.total;
  }
  __device__ void ExclusiveSum(T value, T& result) {
    T total;
    ExclusiveSum(value, result, total);
  }
  __device__ void InclusiveSum(T value, T& result) {
    T before;
    T total;
    ExclusiveSum(value, before, total);
    result = before + value;
  }
  template <int ITEMS> __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& total) {
    T sum = input[0];
#pragma unroll
    for (int item = 1; item < ITEMS; ++item) sum = sum + input[item];
    T running;
    ExclusiveSum(sum, running, total);
#pragma unroll
    for (int item = 0; item < ITEMS; ++item) {
      T next = running + input[item];
      output[item] = running;
      running = next;
    }
  }
};

}
