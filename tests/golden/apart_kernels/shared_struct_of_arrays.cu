struct Scratch {
    float x[80];
    float y[80];
    double area[80];
    struct { int from, to; } edge[80];
};

// Twice the area of a polygon with 80 corners, running from each corner on.
__global__ void shared_struct_of_arrays(const float *in, float *out)
{
    __shared__ Scratch sc;
    const int t = threadIdx.x;
    const float *p = in + blockIdx.x * 240;
    sc.x[t] = p[3 * t];
    sc.y[t] = p[3 * t + 1];
    sc.edge[t].from = t;
    sc.edge[t].to = t == 79 ? 0 : t + 1;
    __syncthreads();
    int i = sc.edge[79 - t].to, j = 79 - t;
    sc.area[t] = (double)sc.x[j] * sc.y[(j + 1) % 80] - (double)sc.x[(j + 1) % 80] * sc.y[j];
    __syncthreads();
    double sum = 0;
    for (int k = t; k < 80; k += 16) sum += sc.area[k];
    out[blockIdx.x * 80 + t] = (float)sum + i + sc.edge[t].from;
}
