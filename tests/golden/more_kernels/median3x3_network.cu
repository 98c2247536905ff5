#define s2(a, b)                { float tmp = a; a = fminf(a, b); b = fmaxf(tmp, b); }
#define mn3(a, b, c)            s2(a, b); s2(a, c);
#define mx3(a, b, c)            s2(b, c); s2(a, c);
#define mnmx3(a, b, c)          mx3(a, b, c); s2(a, b);
#define mnmx4(a, b, c, d)       s2(a, b); s2(c, d); s2(a, c); s2(b, d);
#define mnmx5(a, b, c, d, e)    s2(a, b); s2(c, d); mn3(a, c, e); mx3(b, d, e);
#define mnmx6(a, b, c, d, e, f) s2(a, d); s2(b, e); s2(c, f); mn3(a, b, c); mx3(d, e, f);
#define SMEM(x, y) smem[(x) + 1][(y) + 1]

__global__ void median3x3_network(const float *src, float *dst, int w, int h)
{
    __shared__ float smem[22][14];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 20 + tx;
    int y = blockIdx.y * 12 + ty;

    for (int i = tx - 1; i < 21; i += 20)
        for (int j = ty - 1; j < 13; j += 12) {
            int gx = x - tx + i, gy = y - ty + j;
            gx = gx < 0 ? 0 : gx >= w ? w - 1 : gx;
            gy = gy < 0 ? 0 : gy >= h ? h - 1 : gy;
            SMEM(i, j) = src[gy * w + gx];
        }
    __syncthreads();

    // pull top six from shared memory
    float v[6] = {SMEM(tx - 1, ty - 1), SMEM(tx, ty - 1), SMEM(tx + 1, ty - 1),
                  SMEM(tx - 1, ty), SMEM(tx, ty), SMEM(tx + 1, ty)};
    // with each pass, remove min and max values and add new value
    mnmx6(v[0], v[1], v[2], v[3], v[4], v[5]);
    v[5] = SMEM(tx - 1, ty + 1);
    mnmx5(v[1], v[2], v[3], v[4], v[5]);
    v[5] = SMEM(tx, ty + 1);
    mnmx4(v[2], v[3], v[4], v[5]);
    v[5] = SMEM(tx + 1, ty + 1);
    mnmx3(v[3], v[4], v[5]);
    dst[y * w + x] = v[4];
}
