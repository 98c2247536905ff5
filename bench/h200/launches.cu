// The launches of `cargo xtask bench query`, on the GPU: milliseconds of each, and under ncu what the hardware counts.
//
//   launches            prints `launch,gpu,gpu_ms`, the median of 15 runs each
//   launches once       runs each launch once, for ncu

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../crates/query/benches/gather.cu"
#include "../../crates/query/benches/histogram.cu"
#include "../../crates/query/benches/reduce.cu"
#include "../../crates/query/benches/rows.cu"
#include "../../crates/query/benches/scatter.cu"
#include "../../crates/query/benches/sgemm.cu"
#include "../../crates/query/benches/softmax.cu"
#include "../../crates/query/benches/spmv.cu"
#include "../../crates/query/benches/stencil.cu"
#include "../../crates/query/benches/transpose.cu"

static void check(cudaError_t status)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::exit(1);
    }
}

// An array of zeros on the device.
template <typename T>
static T *zeros(size_t count)
{
    T *array = nullptr;
    check(cudaMalloc(&array, count * sizeof(T)));
    check(cudaMemset(array, 0, count * sizeof(T)));
    return array;
}

// What `random:SEED` puts into an array of unsigned integers (`drawn` in crates/simt).
static uint32_t drawn(uint64_t seed, uint64_t index)
{
    auto rotated = [](uint64_t bits, int by) { return bits << by | bits >> (64 - by); };
    uint64_t bits = seed * 0x9e3779b97f4a7c15ull ^ rotated(index, 23) * 0xc2b2ae3d27d4eb4full
        ^ rotated(7, 41) * 0x165667b19e3779f9ull;
    bits ^= bits >> 29;
    bits *= 0xbf58476d1ce4e5b9ull;
    bits ^= bits >> 32;
    bits *= 0x94d049bb133111ebull;
    return static_cast<uint32_t>(bits ^ bits >> 29);
}

// An array on the device that holds what `random:SEED` stands for.
static unsigned int *drawn_array(size_t count, uint64_t seed = 1)
{
    std::vector<unsigned int> values(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = drawn(seed, i);
    unsigned int *array = zeros<unsigned int>(count);
    check(cudaMemcpy(array, values.data(), count * sizeof(unsigned int), cudaMemcpyHostToDevice));
    return array;
}

static bool once = false;
static std::string gpu;

// Runs a launch 15 times and prints its median, or once.
template <typename Launch>
static void run(const char *name, Launch launch)
{
    launch();
    check(cudaDeviceSynchronize());
    if (once)
        return;
    cudaEvent_t start, end;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    std::vector<float> times(15);
    for (float &ms : times) {
        check(cudaEventRecord(start));
        launch();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, start, end));
    }
    std::sort(times.begin(), times.end());
    std::printf("%s,%s,%.4f\n", name, gpu.c_str(), times[times.size() / 2]);
}

static void run_sgemm(const char *name, int side)
{
    const size_t count = static_cast<size_t>(side) * side;
    float *a = zeros<float>(count), *b = zeros<float>(count), *c = zeros<float>(count);
    const dim3 grid(side / 64, side / 64);
    run(name, [=] { sgemm<<<grid, 512>>>(side, side, side, 1.0f, a, b, 1.0f, c); });
    check(cudaFree(a));
    check(cudaFree(b));
    check(cudaFree(c));
}

int main(int count, char **arguments)
{
    once = count > 1 && std::string(arguments[1]) == "once";
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    gpu = device.name;
    if (!once)
        std::puts("launch,gpu,gpu_ms");

    run_sgemm("sgemm 256^3", 256);
    run_sgemm("sgemm 1024^3", 1024);
    run_sgemm("sgemm 4096^3", 4096);

    const size_t elements = size_t(1) << 28;
    float *in = zeros<float>(411705344), *out = zeros<float>(411705344);
    run("reduction 2^28", [=] { reduce<<<1056, 256>>>(in, out, elements); });
    run("transpose 16384^2", [=] { transpose<<<dim3(512, 512), dim3(32, 8)>>>(in, out, 16384); });
    run("stencil 512^3", [=] { stencil<<<dim3(16, 64, 512), dim3(32, 8)>>>(in, out, 512, 512, 512); });
    run("softmax 8192x50257", [=] { softmax<<<8192, 1024>>>(in, out, 50257); });

    const unsigned int bytes = 1u << 26;
    unsigned int *data = drawn_array(bytes), *counts = zeros<unsigned int>(256);
    run("histogram 2^26", [=] { histogram<<<1056, 256>>>(data, counts, bytes); });

    unsigned int *order = drawn_array(105600);
    run("rows 1056x100", [=] { rows<<<1056, 256>>>(in, order, out, 100); });

    const unsigned int threads = 1u << 25, lines = 1u << 20;
    run("gather 2^25", [=] { gather<<<threads / 256, 256>>>(in, data, out, threads); });
    run("scatter 2^25", [=] { scatter<<<threads / 256, 256>>>(data, counts, threads); });
    unsigned int *lengths = drawn_array(lines, 2);
    run("spmv 2^20", [=] { spmv<<<lines / 256, 256>>>(lengths, data, in, in + elements, out, lines); });
    return 0;
}
