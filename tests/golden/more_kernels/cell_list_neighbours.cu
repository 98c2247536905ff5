#define CELLS 4
#define PER_CELL 32
// one block a cell, exactly 32 particles in each; the nine cells around it one after the other
__global__ void cell_list_neighbours(const float *x, const float *y, float *fx, float *fy, float cutoff2)
{
    __shared__ float sx[PER_CELL];
    __shared__ float sy[PER_CELL];
    int cell = blockIdx.y * CELLS + blockIdx.x;
    int i = cell * PER_CELL + threadIdx.x;
    float px = x[i], py = y[i];
    float ax = 0, ay = 0;
    for (int dy = -1; dy <= 1; dy++) {
        int cy = (int)blockIdx.y + dy;
        if (cy < 0 || cy >= CELLS) continue;
        for (int dx = -1; dx <= 1; dx++) {
            int cx = (int)blockIdx.x + dx;
            if (cx < 0 || cx >= CELLS) continue;
            int other = cy * CELLS + cx;
            __syncthreads();
            sx[threadIdx.x] = x[other * PER_CELL + threadIdx.x];
            sy[threadIdx.x] = y[other * PER_CELL + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < PER_CELL; j++) {
                float rx = sx[j] - px, ry = sy[j] - py;
                float r2 = rx * rx + ry * ry;
                float w = r2 < cutoff2 ? 1.0f - r2 / cutoff2 : 0.0f;
                if (other == cell && j == threadIdx.x) w = 0.0f;
                ax += w * rx;
                ay += w * ry;
            }
        }
    }
    fx[i] = ax;
    fy[i] = ay;
}
