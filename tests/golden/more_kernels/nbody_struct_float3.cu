struct Particle {
    float3 pos;
    float mass;
};

__device__ float3 interact(float3 ai, const float3 &pi, const float3 &pj, float mj, float soft2)
{
    float3 r;
    r.x = pj.x - pi.x;
    r.y = pj.y - pi.y;
    r.z = pj.z - pi.z;
    float d2 = r.x * r.x + r.y * r.y + r.z * r.z + soft2;
    float inv = rsqrtf(d2);
    float s = mj * inv * inv * inv;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void nbody_struct_float3(const Particle *bodies, float3 *accel, int n, float soft2)
{
    __shared__ float3 tilePos[96];
    __shared__ float tileMass[96];
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    const float3 myPos = bodies[me].pos;
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int tile = 0; tile < n / 96; tile++) {
        Particle p = bodies[tile * 96 + threadIdx.x];
        tilePos[threadIdx.x] = p.pos;
        tileMass[threadIdx.x] = p.mass;
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 96; k++)
            acc = interact(acc, myPos, tilePos[k], tileMass[k], soft2);
        __syncthreads();
    }
    accel[me] = acc;
}
