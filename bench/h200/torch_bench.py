"""What PyTorch reaches, timed as the lab times: the slope between N and 2N calls, the median of 15."""

import statistics

import torch


def elapsed(call, runs):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for i in range(runs):
        call(i)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e-3


def measure(name, nbytes, call):
    runs = 1
    while elapsed(call, runs) < 20e-3:
        runs *= 2
    slopes = [(elapsed(call, 2 * runs) - elapsed(call, runs)) / runs for _ in range(15)]
    seconds = statistics.median(slopes)
    print(f"{name:<32} {seconds * 1e3:10.4f} ms {nbytes * 1e-9 / seconds:8.1f} GB/s", flush=True)


def matrices(rows, columns, sets):
    inputs = [torch.rand(rows, columns, device="cuda") for _ in range(sets)]
    outputs = [torch.empty(columns, rows, device="cuda") for _ in range(sets)]
    nbytes = rows * columns * 8
    measure(f"torch_transpose_{rows}x{columns}", nbytes, lambda i: outputs[i % sets].copy_(inputs[i % sets].t()))
    flat = [o.view(rows, columns) for o in outputs]
    measure(f"torch_copy_{rows}x{columns}", nbytes, lambda i: flat[i % sets].copy_(inputs[i % sets]))


def sums(log2, sets):
    inputs = [torch.rand(1 << log2, device="cuda") for _ in range(sets)]
    output = torch.empty((), device="cuda")
    measure(f"torch_sum_2^{log2}", 4 << log2, lambda i: torch.sum(inputs[i % sets], dim=0, out=output))


matrices(16384, 16384, 1)
matrices(4096, 4096, 4)
matrices(10007, 9973, 1)
sums(28, 1)
sums(24, 4)
