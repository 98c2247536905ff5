__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
    distSqr += 0.01f;
    float invDist = rsqrtf(distSqr);
    float invDistCube = invDist * invDist * invDist;
    float s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__device__ float3 computeBodyAccel(float4 bodyPos, float4 *positions, int numTiles)
{
    extern __shared__ float4 sharedPos[];
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int tile = 0; tile < numTiles; tile++) {
        sharedPos[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
        __syncthreads();
        // This is the "tile_calculation" from the GPUG3 article.
#pragma unroll 16
        for (unsigned int counter = 0; counter < blockDim.x; counter++) {
            acc = bodyBodyInteraction(acc, bodyPos, sharedPos[counter]);
        }
        __syncthreads();
    }
    return acc;
}

__global__ void nbody_sample_integrate(float4 *newPos, float4 *oldPos, float4 *vel,
                                       float deltaTime, float damping, int numTiles)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    float4 position = oldPos[index];
    float3 accel = computeBodyAccel(position, oldPos, numTiles);
    float4 velocity = vel[index];
    velocity.x += accel.x * deltaTime;
    velocity.y += accel.y * deltaTime;
    velocity.z += accel.z * deltaTime;
    velocity.x *= damping;
    velocity.y *= damping;
    velocity.z *= damping;
    position.x += velocity.x * deltaTime;
    position.y += velocity.y * deltaTime;
    position.z += velocity.z * deltaTime;
    newPos[index] = position;
    vel[index] = velocity;
}
