//! Threads together: reductions, scans, histograms, exchanges, votes and groups.

use super::draft::Draft;

pub(super) fn block_reduction(d: &mut Draft) {
    d.body(
        "
__shared__ $E s$N[$T];
s$N[t] = «v¦a[i] + a[i + $ALL]¦a[@i]»;
__syncthreads();
«for (int h = $T / 2; h > 0; h >>= 1) {
    if (t < h) s$N[t] += s$N[t + h];
    __syncthreads();
}¦for (unsigned h = 1; h < $T; h *= 2) {
    if (t % (2 * h) == 0) s$N[t] += s$N[t + h];
    __syncthreads();
}¦for (int h = 1; h < $T; h *= 2) {
    const int at = 2 * h * t;
    if (at + h < $T) s$N[at] += s$N[at + h];
    __syncthreads();
}¦for (int h = blockDim.x * blockDim.y / 2; h > 0; h /= 2) {
    if (t >= h) goto next$N;
    {
        const $E x = s$N[t], y = s$N[t + h];
        s$N[t] = x > y ? x : y;
    }
next$N:
    __syncthreads();
}»
«v = s$N[0];¦if (t == 0) v = s$N[0];¦v += s$N[t / 2];»",
    );
}

pub(super) fn warp_reduction(d: &mut Draft) {
    d.body(
        "
__shared__ $E s$N[32];
«for (int h = 16; h > 0; h >>= 1) v += __shfl_down_sync(0xffffffffu, v, h);¦#pragma unroll
for (int h = 1; h < 32; h <<= 1) v += __shfl_xor_sync(0xffffffffu, v, h);»
«const int lane = t & 31, warp = t >> 5;¦const int lane = t % warpSize, warp = t / warpSize;»
if (lane == «0¦31») s$N[warp] = v;
__syncthreads();
«if (warp == 0) {
    v = lane < $T / 32 ? s$N[lane] : $E(0);
    for (int h = 16; h > 0; h /= 2) v += __shfl_down_sync(~0u, v, h);
}¦if (t == 0) for (int k = 1; k < $T / 32; ++k) v += s$N[k];¦v = 0;
for (int k = 0; k < $T / 32; ++k) v += s$N[k];»",
    );
}

pub(super) fn scan(d: &mut Draft) {
    d.body(
        "
«__shared__ $E s$N[2][$T];
int from = 0;
s$N[from][t] = v;
__syncthreads();
for (int h = 1; h < $T; h *= 2) {
    s$N[1 - from][t] = t >= h ? s$N[from][t] + s$N[from][t - h] : s$N[from][t];
    from = 1 - from;
    __syncthreads();
}
v = s$N[from][t];¦__shared__ $E s$N[$T];
s$N[t] = v;
for (int h = 1; h < $T; h <<= 1) {
    __syncthreads();
    $E x = 0;
    if (t >= h) x = s$N[t - h];
    __syncthreads();
    s$N[t] += x;
}
__syncthreads();
v = t ? s$N[t - 1] : 0;¦__shared__ $E s$N[$T];
s$N[t] = v;
__syncthreads();
if (t == 0)
    for (int k = 1; k < $T; ++k) s$N[k] += s$N[k - 1];
__syncthreads();
v = s$N[$T - 1 - t];»",
    );
}

pub(super) fn histogram(d: &mut Draft) {
    d.key("B", &["16", "32", "64", "100"]);
    d.array("Q", "«unsigned¦int»*");
    d.body(
        "
__shared__ unsigned bins$N[$B];
for (int k = t; k < $B; k += $T) bins$N[k] = 0;
__syncthreads();
«atomicAdd(&bins$N[(t * «1¦3¦7») % $B], 1u);¦const unsigned old = atomicAdd(&bins$N[t % $B], 2u);
v += $E(old);¦for (int k = t; k < 2 * $T + 3; k += $T) atomicAdd(bins$N + k % $B, k);¦atomicMax(&bins$N[t / 4 % $B], unsigned(i));¦atomicOr(&bins$N[t & 15], 1u << (t & 31));»
__syncthreads();
for (int k = t; k < $B; k += $T) «atomicAdd(&$Q[k], bins$N[k]);¦$Q[k + blockIdx.x * $B] = bins$N[k];¦if (k % 2 == 0) atomicAdd(reinterpret_cast<int*>($Q) + k, int(bins$N[k]));»",
    );
}

pub(super) fn global_atomics(d: &mut Draft) {
    d.array("Q", "«int¦unsigned¦float»*");
    d.body(
        "
«atomicAdd(&$Q[@i], 1);¦const auto old = atomicAdd($Q + i % 32, 2);
v += $E(old);¦atomicAdd(&$Q[t], t);
atomicAdd(&$Q[i / 32], 1);¦v += $E(atomicExch(&$Q[@i], 3));¦if (t % 32 == 0) atomicAdd(&$Q[blockIdx.x], 5);»",
    );
}

pub(super) fn shuffles(d: &mut Draft) {
    d.body(
        "
«v += __shfl_sync(0xffffffffu, v, «0¦t ^ 3¦(t + 5) & 31»);¦const int from = __shfl_sync(~0u, int(t), «(t * 5) & 31¦31 - t % 32», «32¦16¦8»);
v += a[from * «1¦2¦32»];¦const int up = __shfl_up_sync(0xffffffffu, int(i), «1¦4»);
v += a[up] - b[__shfl_down_sync(0xffffffffu, up, 2, «32¦8»)];¦int at = t;
for (int m = «1¦2»; m < 32; m *= 2) at += __shfl_xor_sync(0xffffffffu, at, m);
v += a[at];»",
    );
}

pub(super) fn ballots(d: &mut Draft) {
    d.key("C", &["t % 3 == 0", "t & 4", "(t % 32) < 9", "i % 7 > 2"]);
    d.body(
        "
const unsigned votes = __ballot_sync(0xffffffffu, $C);
«const int rank = __popc(votes & ((1u << (t % 32)) - 1));
if ($C) v += a[rank + t / 32 * 32];
else v += b[i];¦v += a[__popc(votes) * t];¦const int leader = __ffs(votes) - 1;
if (int(t % 32) == leader) v += a[i];
v += b[leader + t];¦if (__any_sync(~0u, $C)) v += a[@i];
if (__all_sync(~0u, $C)) v += b[@i];»",
    );
}

pub(super) fn groups(d: &mut Draft) {
    d.headers.push("cooperative_groups.h");
    d.key("S", &["32", "16", "8", "4"]);
    d.body(
        "
namespace cg = cooperative_groups;
«auto block = cg::this_thread_block();¦cg::thread_block block = cg::this_thread_block();»
«auto tile = cg::tiled_partition<$S>(block);¦cg::thread_block_tile<$S> tile = cg::tiled_partition<$S>(block);»
__shared__ $E s$N[$T];
s$N[block.thread_rank()] = v;
«block.sync();¦cg::sync(block);¦__syncthreads();»
«for (int h = tile.size() / 2; h > 0; h /= 2) v += tile.shfl_down(v, h);¦v += tile.shfl_xor(v, 1) + s$N[tile.meta_group_rank() * $S];¦v += s$N[block.size() - 1 - t] + a[tile.thread_rank()];¦if (tile.thread_rank() == 0) v += s$N[t / 2] + a[tile.meta_group_rank() + block.group_index().x];
tile.sync();»",
    );
}
