#define NX 10
#define NY 6
#define NZ 4
// PMPP style: threads cover the input tile including halo, output tile is 8 x 4 x 2
__global__ void stencil_cube_3d_block(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    int i = blockIdx.z * (NZ - 2) + threadIdx.z - 1;
    int j = blockIdx.y * (NY - 2) + threadIdx.y - 1;
    int k = blockIdx.x * (NX - 2) + threadIdx.x - 1;
    __shared__ float in_s[NZ][NY][NX];
    if (i >= 0 && i < nz && j >= 0 && j < ny && k >= 0 && k < nx) {
        in_s[threadIdx.z][threadIdx.y][threadIdx.x] = in[i*ny*nx + j*nx + k];
    }
    __syncthreads();
    if (i >= 1 && i < nz-1 && j >= 1 && j < ny-1 && k >= 1 && k < nx-1) {
        if (threadIdx.z >= 1 && threadIdx.z < NZ-1 && threadIdx.y >= 1
            && threadIdx.y < NY-1 && threadIdx.x >= 1 && threadIdx.x < NX-1) {
            out[i*ny*nx + j*nx + k] = c0*in_s[threadIdx.z][threadIdx.y][threadIdx.x]
                + c1*in_s[threadIdx.z][threadIdx.y][threadIdx.x-1]
                + c1*in_s[threadIdx.z][threadIdx.y][threadIdx.x+1]
                + c1*in_s[threadIdx.z][threadIdx.y-1][threadIdx.x]
                + c1*in_s[threadIdx.z][threadIdx.y+1][threadIdx.x]
                + c1*in_s[threadIdx.z-1][threadIdx.y][threadIdx.x]
                + c1*in_s[threadIdx.z+1][threadIdx.y][threadIdx.x];
        }
    }
}
