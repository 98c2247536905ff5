#define S(i, j, k) smem[((k) * 6 + (j)) * 18 + (i)]
// 16 x 4 x 4 points and one point of halo on every side
__global__ void stencil_7point_dynamic(const float* __restrict__ in, float* __restrict__ out,
                                       int nx, int ny, int nz, float c0, float c1)
{
    extern __shared__ float smem[];
    const int i = threadIdx.x + 1, j = threadIdx.y + 1, k = threadIdx.z + 1;
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = blockIdx.y * 4 + threadIdx.y;
    const int z = blockIdx.z * 4 + threadIdx.z;
    const int plane = nx * ny;
    const int p = z * plane + y * nx + x;

    S(i, j, k) = in[p];
    if (threadIdx.x < 1) {
        S(0, j, k) = (x >= 1) ? in[p - 1] : 0.f;
        S(17, j, k) = (x + 16 < nx) ? in[p + 16] : 0.f;
    }
    if (threadIdx.y < 1) {
        S(i, 0, k) = (y >= 1) ? in[p - nx] : 0.f;
        S(i, 5, k) = (y + 4 < ny) ? in[p + 4 * nx] : 0.f;
    }
    if (threadIdx.z < 1) {
        S(i, j, 0) = (z >= 1) ? in[p - plane] : 0.f;
        S(i, j, 5) = (z + 4 < nz) ? in[p + 4 * plane] : 0.f;
    }
    __syncthreads();
    out[p] = c0 * S(i, j, k) + c1 * (S(i - 1, j, k) + S(i + 1, j, k) + S(i, j - 1, k) + S(i, j + 1, k) +
                                     S(i, j, k - 1) + S(i, j, k + 1));
}
