#define COARSEN_FACTOR 4
// direct Coulomb summation (PMPP), atoms = x y z charge
__global__ void cenergy_coarsened_coalesced(float *energygrid, int gridx, int gridy, float gridspacing, float z,
                                            const float *atoms, int numatoms) {
    int i = blockIdx.x * blockDim.x * COARSEN_FACTOR + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int atomarrdim = numatoms * 4;
    float y = gridspacing * (float)j;
    float x = gridspacing * (float)i;
    float energy0 = 0.0f, energy1 = 0.0f, energy2 = 0.0f, energy3 = 0.0f;
    for (int n = 0; n < atomarrdim; n += 4) {
        float dx0 = x - atoms[n];
        float dx1 = dx0 + gridspacing * blockDim.x;
        float dx2 = dx1 + gridspacing * blockDim.x;
        float dx3 = dx2 + gridspacing * blockDim.x;
        float dy = y - atoms[n + 1];
        float dz = z - atoms[n + 2];
        float dysqdzsq = dy * dy + dz * dz;
        float charge = atoms[n + 3];
        energy0 += charge / sqrtf(dx0 * dx0 + dysqdzsq);
        energy1 += charge / sqrtf(dx1 * dx1 + dysqdzsq);
        energy2 += charge / sqrtf(dx2 * dx2 + dysqdzsq);
        energy3 += charge / sqrtf(dx3 * dx3 + dysqdzsq);
    }
    energygrid[gridx * j + i] += energy0;
    energygrid[gridx * j + i + blockDim.x] += energy1;
    energygrid[gridx * j + i + 2 * blockDim.x] += energy2;
    energygrid[gridx * j + i + 3 * blockDim.x] += energy3;
}
