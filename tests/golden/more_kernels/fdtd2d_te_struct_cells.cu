struct Cell { float ex, ey, hz, eps; };
__global__ void fdtd2d_te_struct_cells(Cell *cells, int nx, int ny, float ch)
{
    __shared__ Cell s[8 + 1][16 + 1];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    Cell *c = &cells[y * nx + x];
    s[threadIdx.y][threadIdx.x] = *c;
    if (threadIdx.x == 15 && x + 1 < nx) s[threadIdx.y][16].ey = c[1].ey;
    if (threadIdx.y == 7 && y + 1 < ny) s[8][threadIdx.x].ex = c[nx].ex;
    __syncthreads();
    if (x + 1 < nx && y + 1 < ny) {
        const Cell &me = s[threadIdx.y][threadIdx.x];
        c->hz = me.hz - ch * (s[threadIdx.y][threadIdx.x + 1].ey - me.ey)
                      + ch * (s[threadIdx.y + 1][threadIdx.x].ex - me.ex);
    }
}
