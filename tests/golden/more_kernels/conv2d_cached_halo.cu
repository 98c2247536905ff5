#define TILE_DIM 32
#define FILTER_RADIUS 2
__global__ void conv2d_cached_halo(float *N, const float *F, float *P, int width, int height) {
    int col = blockIdx.x*TILE_DIM + threadIdx.x;
    int row = blockIdx.y*TILE_DIM + threadIdx.y;
    //loading input tile
    __shared__ float N_s[TILE_DIM][TILE_DIM];
    if(row<height && col<width) {
        N_s[threadIdx.y][threadIdx.x] = N[row*width + col];
    } else {
        N_s[threadIdx.y][threadIdx.x] = 0.0;
    }
    __syncthreads();
    // Calculating output elements; halo cells come from L2
    if (col < width && row < height) {
        float Pvalue = 0.0f;
        for (int fRow = 0; fRow < 2*FILTER_RADIUS+1; fRow++) {
            for (int fCol = 0; fCol < 2*FILTER_RADIUS+1; fCol++) {
                if ((int)threadIdx.x-FILTER_RADIUS+fCol >= 0 &&
                    (int)threadIdx.x-FILTER_RADIUS+fCol < TILE_DIM &&
                    (int)threadIdx.y-FILTER_RADIUS+fRow >= 0 &&
                    (int)threadIdx.y-FILTER_RADIUS+fRow < TILE_DIM) {
                    Pvalue += F[fRow*5+fCol]*N_s[threadIdx.y-FILTER_RADIUS+fRow][threadIdx.x-FILTER_RADIUS+fCol];
                }
                else {
                    if (row-FILTER_RADIUS+fRow >= 0 &&
                        row-FILTER_RADIUS+fRow < height &&
                        col-FILTER_RADIUS+fCol >= 0 &&
                        col-FILTER_RADIUS+fCol < width) {
                        Pvalue += F[fRow*5+fCol]*N[(row-FILTER_RADIUS+fRow)*width+col-FILTER_RADIUS+fCol];
                    }
                }
            }
        }
        P[row*width+col] = Pvalue;
    }
}
