#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ double reduce_sum(cg::thread_group g, double *temp, double val)
{
    int lane = g.thread_rank();
    // Each iteration halves the number of active threads
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = val;
        g.sync();
        if (lane < i) val += temp[lane + i];
        g.sync();
    }
    return val;
}

__global__ void reduce_cg_volatile_free(const double *v, double *result, int n)
{
    extern __shared__ double temp[];
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        mine += v[i];
    auto g = cg::this_thread_block();
    double total = reduce_sum(g, temp, mine);
    if (g.thread_rank() == 0) result[blockIdx.x] = total;
}
