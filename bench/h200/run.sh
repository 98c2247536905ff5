#!/usr/bin/env bash
# run.sh LANESCOPE: measures CUDA, PyTorch and the lab on this machine's GPU; see README.md.
set -euo pipefail
lanescope=$(realpath "${1:?the lanescope program}")
here=$(cd "$(dirname "$0")" && pwd)
out=${2:-$here/results}
mkdir -p "$out"
program=$(mktemp)
trap 'rm -f "$program"' EXIT
nvcc -O3 -std=c++17 -arch=native -o "$program" "$here/cuda_bench.cu"

"$lanescope" lab --experiment stride >"$out/lab_stride.txt"
"$lanescope" lab --experiment ceilings --size 2^28 --format csv >"$out/lab_ceilings.csv"
"$lanescope" lab --experiment reduce --size 2^28,2^24 --checks both --format csv >"$out/lab_reduce.csv"
"$lanescope" lab --experiment reduce --element u32 --size 2^28,2^24 --format csv >"$out/lab_reduce_u32.csv"
"$program" | tee "$out/cuda.txt"
peers=$here/../peers/target/release/lanescope-peers
if [ -x "$peers" ]; then "$peers" | tee "$out/peers.txt"; fi
if python3 -c 'import torch' 2>/dev/null; then python3 "$here/torch_bench.py" | tee "$out/torch.txt"; fi
"$lanescope" lab --experiment transpose --size 16384x16384,4096x4096,10007x9973 --checks both --format csv \
  >"$out/lab_transpose.csv"
