#define BX 16
#define BY 16
__global__ void heat2d_edges_by_tx(const float *u, float *un, int nx, int ny, float k)
{
    __shared__ float s[BY + 2][BX + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    int id = y * nx + x;

    s[ty][tx] = u[id];
    if (threadIdx.x == 0)      s[ty][0]      = x > 0      ? u[id - 1]  : 0.0f;
    if (threadIdx.x == BX - 1) s[ty][BX + 1] = x < nx - 1 ? u[id + 1]  : 0.0f;
    if (threadIdx.y == 0)      s[0][tx]      = y > 0      ? u[id - nx] : 0.0f;
    if (threadIdx.y == BY - 1) s[BY + 1][tx] = y < ny - 1 ? u[id + nx] : 0.0f;
    __syncthreads();

    float c = s[ty][tx];
    un[id] = c + k * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4.0f * c);
}
