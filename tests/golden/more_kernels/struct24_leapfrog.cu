struct State { float3 r; float3 v; };

__global__ void struct24_leapfrog(State *s, const float3 *force, float dt, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        State me = s[i];
        float3 f = force[i];
        me.v.x += f.x * dt;
        me.v.y += f.y * dt;
        me.v.z += f.z * dt;
        me.r.x += me.v.x * dt;
        me.r.y += me.v.y * dt;
        me.r.z += me.v.z * dt;
        s[i] = me;
    }
}
