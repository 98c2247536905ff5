struct Atom {
    float px, py, pz;
    float vx, vy, vz;
    int kind;
};

__global__ void struct28_aos_to_soa(const Atom *p, float *px, float *py, float *pz, float *e, int *kind, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const Atom &a = p[i];
        px[i] = a.px;
        py[i] = a.py;
        pz[i] = a.pz;
        e[i] = 0.5f * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
        kind[i] = a.kind;
    }
}
