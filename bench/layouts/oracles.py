#!/usr/bin/env python3
"""Compares random layouts and encodings, as this project reads their text, with the programs that define them.

README.md beside this file says how to run it. Oracles: `pycute` (shapes, strides, swizzles, algebra), CuTe DSL (composed layouts in its own print,
tile_to_shape, orders), Triton (shared encodings; distributed encodings by the wavefronts of their stores). Prints each
layout that differs, and how many were compared; the exit status is 1 where any differs.
"""

import argparse
import csv
import io
import json
import random
import subprocess
import sys

ARGUMENTS = None
TYPES = {1: "u8", 2: "f16", 4: "f32", 8: "f64"}


def ask(text, *options):
    """What the command line answers, or None where it refuses."""
    command = [ARGUMENTS.binary, "layout", "-", *options]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    return done.stdout if done.returncode == 0 and "error" not in done.stderr else None


def bytes_of(text):
    """Bytes of each element by row and column, from the tile's beginning; None where the text is refused."""
    table = ask(text, "--format", "csv")
    if table is None:
        return None
    return {(int(row["row"]), int(row["column"])): int(row["byte"]) for row in csv.DictReader(io.StringIO(table))}


class Tally:
    def __init__(self):
        self.compared, self.differing, self.kinds = 0, 0, {}

    def compare(self, kind, text, ours, theirs):
        self.compared += 1
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if ours != theirs:
            self.differing += 1
            print(f"{kind} differs:\n{text}\n  here {str(ours)[:200]}\n  there {str(theirs)[:200]}")


# Shapes and strides


def random_mode(random_source, depth):
    if depth and random_source.random() < 0.4:
        parts = [random_mode(random_source, depth - 1) for _ in range(random_source.randint(2, 3))]
        return tuple(shape for shape, _ in parts), tuple(stride for _, stride in parts)
    return random_source.choice([1, 2, 3, 4, 5, 8]), random_source.choice([0, 1, 2, 3, 4, 8, 16, 24, 64])


def size(shape):
    if isinstance(shape, int):
        return shape
    product = 1
    for part in shape:
        product *= size(part)
    return product


def random_layout(random_source, most=2048):
    while True:
        modes = [random_mode(random_source, 1) for _ in range(2)]
        shape, stride = tuple(mode[0] for mode in modes), tuple(mode[1] for mode in modes)
        if size(shape) <= most:
            return shape, stride


def printed(nest, mark=""):
    if isinstance(nest, int):
        return f"{mark}{nest}"
    return "(" + ",".join(printed(part, mark) for part in nest) + ")"


def types(nest, name):
    if isinstance(nest, int):
        return f"_{nest}" if nest in (0, 1, 2, 3, 4, 8, 16, 32, 64) else f"Int<{nest}>"
    return f"{name}<" + ", ".join(types(part, name) for part in nest) + ">"


def functions(nest, name):
    if isinstance(nest, int):
        return f"Int<{nest}>{{}}"
    return f"{name}(" + ", ".join(functions(part, name) for part in nest) + ")"


def spelled(random_source, shape, stride, swizzle):
    """A layout in one of the notations that people paste."""
    bits, base, shift = swizzle or (0, 0, 0)
    plain = f"{printed(shape)}:{printed(stride)}"
    choices = {
        "plain": (f"Swizzle<{bits},{base},{shift}> o ", plain),
        "printed": (f"Sw<{bits},{base},{shift}> o _0 o ", f"{printed(shape, '_')}:{printed(stride, '_')}"),
        "dsl": (f"S<{bits},{base},{shift}> o 0 o ", plain),
    }
    kind = random_source.choice(["plain", "printed", "dsl", "types", "functions", "python", "objects"])
    if kind in choices:
        before, layout = choices[kind]
        return kind, (before if swizzle else "") + layout
    layout = {
        "types": f"Layout<{types(shape, 'Shape')}, {types(stride, 'Stride')}>{{}}",
        "functions": f"make_layout({functions(shape, 'make_shape')}, {functions(stride, 'make_stride')})",
        "python": f"cute.make_layout({shape}, stride={stride})",
        "objects": f"Layout({shape}, {stride})",
    }[kind]
    if not swizzle:
        return kind, layout
    return kind, {
        "types": f"using X = decltype(composition(Swizzle<{bits},{base},{shift}>{{}}, {layout}));",
        "functions": f"auto x = composition(Swizzle<{bits},{base},{shift}>{{}}, {layout});",
        "python": f"cute.make_composed_layout(cute.make_swizzle({bits}, {base}, {shift}), 0, {layout})",
        "objects": f"ComposedLayout(Swizzle({bits}, {base}, {shift}), {layout}, offset=0)",
    }[kind]


def random_swizzle(random_source):
    bits = random_source.randint(1, 3)
    shift = random_source.randint(bits, 5)
    return bits, random_source.randint(0, 4), shift


def pycute_layouts(tally, random_source, count):
    import pycute

    for _ in range(count):
        shape, stride = random_layout(random_source)
        swizzle = random_swizzle(random_source) if random_source.random() < 0.6 else None
        element = random_source.choice(list(TYPES))
        kind, text = spelled(random_source, shape, stride, swizzle)
        text = f"type {TYPES[element]}\n{text}"
        layout = pycute.Layout(shape, stride)
        move = pycute.Swizzle(*swizzle) if swizzle else lambda offset: offset
        rows = size(shape[0])
        theirs = {
            (index % rows, index // rows): move(layout(index)) * element for index in range(size(shape))
        }
        tally.compare(f"pycute {kind}", text, bytes_of(text), theirs)


def pycute_algebra(tally, random_source, count):
    import pycute

    done = 0
    while done < count:
        left = random_layout(random_source, 512)
        right = random_layout(random_source, 64)
        name = random_source.choice(["composition", "logical_divide", "logical_product", "coalesce", "right_inverse"])
        outer, inner = pycute.Layout(*left), pycute.Layout(*right)
        first, second = f"{printed(left[0])}:{printed(left[1])}", f"{printed(right[0])}:{printed(right[1])}"
        if name in ("composition", "logical_divide") and pycute.cosize(inner) > outer.size():
            continue  # past the layout's end
        if name == "right_inverse" and "0" in printed(left[1]).strip("()").replace("(", "").replace(")", "").split(","):
            continue  # pycute ends at a stride of 0, which CuTe's C++ passes over
        try:
            if name in ("coalesce", "right_inverse"):
                text, result = f"{name}({first})", getattr(pycute, name)(outer)
            else:
                text, result = f"{name}({first}, {second})", getattr(pycute, name)(outer, inner)
            # pycute asserts what CuTe asserts in some places only: what is no composition says nothing.
            if name == "composition" and any(result(i) != outer(inner(i)) for i in range(inner.size())):
                continue
            theirs = [result(index) for index in range(result.size())]
        except Exception:
            continue
        table = bytes_of(f"type u8\n{text}")
        if table is None:
            continue
        rows = max(row for row, _ in table) + 1
        ours = [table[(index % rows, index // rows)] for index in range(len(table))]
        tally.compare(f"pycute {name}", text, ours, theirs)
        done += 1


# CuTe DSL


def dsl_cases(random_source, count):
    """Layouts that CuTe DSL makes, as their source, as it prints them, and some of their offsets."""
    import cutlass.cute as cute

    cases = []
    for _ in range(count):
        rows, columns = random_source.choice([4, 8]), random_source.choice([8, 16, 32, 64])
        order = random_source.choice([(0, 1), (1, 0)])
        atom = cute.make_ordered_layout((rows, columns), order=order)
        text = f"cute.make_ordered_layout(({rows}, {columns}), order={order})"
        if random_source.random() < 0.7:
            swizzle = random_swizzle(random_source)
            atom = cute.make_composed_layout(cute.make_swizzle(*swizzle), 0, atom)
            text = f"cute.make_composed_layout(cute.make_swizzle{swizzle}, 0, {text})"
        tall, wide = rows, columns
        if random_source.random() < 0.7:
            tall, wide = rows * random_source.choice([1, 2, 4]), columns * random_source.choice([1, 2])
            tiles = random_source.choice([(0, 1), (1, 0)])
            atom = cute.tile_to_shape(atom, (tall, wide), tiles)
            text = f"cute.tile_to_shape({text}, ({tall}, {wide}), {tiles})"
        places = [(random_source.randrange(tall), random_source.randrange(wide)) for _ in range(16)]
        offsets = {place: int(cute.crd2idx(place, atom)) for place in places}
        cases.append((text, str(atom), offsets))
    return cases


def cute_dsl(tally, random_source, count):
    import cutlass.cute as cute

    cases = []

    @cute.jit
    def made():
        cases.extend(dsl_cases(random_source, count))

    made()
    for text, print_out, offsets in cases:
        for kind, spelling in (("CuTe DSL source", text), ("CuTe DSL print", print_out)):
            table = bytes_of(f"type u8\n{spelling}")
            ours = table and {place: table[place] for place in offsets}
            tally.compare(kind, spelling, ours, offsets)


# Triton


class Triton:
    def __init__(self):
        from triton._C.libtriton import gluon_ir, ir
        from triton.experimental.gluon.language import _layouts

        self.context = ir.context()
        ir.load_dialects(self.context)
        self.builder = gluon_ir.GluonOpBuilder(self.context)
        self.layouts = _layouts

    def linear(self, layout, shape):
        return self.builder.to_linear_layout(layout._to_ir(self.builder), list(shape))


def image(bases, argument, rank=2):
    place = [0] * rank
    for bit, basis in enumerate(bases):
        if argument >> bit & 1:
            place = [one ^ other for one, other in zip(place, basis)]
    return tuple(place)


def by_place(bases):
    return {image(bases, offset): offset for offset in range(1 << len(bases))}


def attribute(name, settings):
    return f"#ttg.{name}<{{" + ", ".join(f"{key} = {value}" for key, value in settings.items()) + "}>"


def pasted(encoding, shape, element, random_source):
    """An encoding with its tensor, as TTGIR has them."""
    kind = TYPES[element].replace("u8", "i8")
    rows, columns = shape
    return random_source.choice(
        [
            f"#shared = {encoding}\n!ttg.memdesc<{rows}x{columns}x{kind}, #shared, #smem, mutable>",
            f"type {kind}\n{encoding} on {rows}x{columns}",
            f"#shared1 = {encoding}\n#smem = #ttg.shared_memory\n"
            f"%0 = ttg.local_alloc : () -> !ttg.memdesc<2x{rows}x{columns}x{kind}, #shared1, #smem, mutable>",
        ]
    )


def random_shared(triton, random_source, element):
    """A shared encoding's text, its tensor's shape, and Triton's own bases and padding."""
    power = lambda low, high: 1 << random_source.randint(low, high)  # noqa: E731
    shape = (power(2, 6), power(3, 7))
    order = random_source.choice([[1, 0], [0, 1]])
    kind = random_source.choice(["swizzled", "nvmma", "linear", "padded"])
    if kind == "swizzled":
        vec, per_phase, max_phase = power(0, 3), power(0, 2), power(0, 3)
        layout = triton.layouts.SwizzledSharedLayout(vec, per_phase, max_phase, order)
        settings = {"vec": vec, "perPhase": per_phase, "maxPhase": max_phase, "order": order}
        return kind, attribute("swizzled_shared", settings), shape, triton.linear(layout, shape).offset_bases, []
    if kind == "nvmma":
        transposed = random_source.random() < 0.4
        width = random_source.choice([0, 32, 64, 128])
        across = max(width, 16) // element
        fast = across * random_source.choice([1, 2, 4])
        slow = power(3, 6)
        shape = (fast, slow) if transposed else (slow, fast)
        layout = triton.layouts.NVMMASharedLayout(width, element * 8, 2, transposed)
        settings = {
            "swizzlingByteWidth": width,
            "transposed": str(transposed).lower(),
            "elementBitWidth": element * 8,
        }
        return kind, attribute("nvmma_shared", settings), shape, triton.linear(layout, shape).offset_bases, []
    bases = [[1 << bit, 0] for bit in range(shape[0].bit_length() - 1)]
    bases += [[0, 1 << bit] for bit in range(shape[1].bit_length() - 1)]
    random_source.shuffle(bases)
    if kind == "padded":
        pads = [[power(2, 7), power(0, 3)]]
        text = f"#ttg.padded_shared<[{pads[0][0]}:+{pads[0][1]}] {{offset = {bases}, block = []}}>"
        return kind, text, shape, bases, pads
    for at in range(len(bases)):
        for earlier in range(at):
            if random_source.random() < 0.2:
                bases[at] = [one ^ other for one, other in zip(bases[at], bases[earlier])]
    layout = triton.layouts.SharedLinearLayout(bases)
    text = f"#ttg.shared_linear<{{offset = {bases}}}, alignment = 16>"
    return kind, text, shape, triton.linear(layout, shape).offset_bases, []


def triton_shared(tally, random_source, count):
    triton = Triton()
    for _ in range(count):
        element = random_source.choice([1, 2, 4])
        kind, encoding, shape, bases, pads = random_shared(triton, random_source, element)
        text = pasted(encoding, shape, element, random_source)
        padded = lambda offset: offset + sum(offset // interval * pad for interval, pad in pads)  # noqa: E731
        theirs = {place: padded(offset) * element for place, offset in by_place(bases).items()}
        tally.compare(f"Triton {kind}", text, bytes_of(text), theirs)


def random_distributed(triton, random_source):
    power = lambda low, high: 1 << random_source.randint(low, high)  # noqa: E731
    kind = random_source.choice(["blocked", "mma", "linear"])
    shape = (power(4, 6), power(4, 6))
    if kind == "mma":
        version = random_source.choice([2, 3])
        warps = random_source.choice([[1, 1], [2, 1], [2, 2], [1, 2], [4, 1]] if version == 2 else [[4, 1], [4, 2]])
        instruction = [16, 8] if version == 2 else [16, power(3, 5), 16]
        layout = triton.layouts.NVMMADistributedLayout([version, 0], warps, instruction)
        settings = {"versionMajor": version, "versionMinor": 0, "warpsPerCTA": warps, "instrShape": instruction}
        return kind, attribute("nvidia_mma", settings), shape, triton.linear(layout, shape)
    order = random_source.choice([[1, 0], [0, 1]])
    down = random_source.randint(0, 5)
    layout = triton.layouts.BlockedLayout(
        [power(0, 2), power(0, 3)], [1 << down, 32 >> down], [power(0, 1), power(0, 1)], order
    )
    linear = triton.linear(layout, shape)
    if kind == "linear":
        settings = {
            "register": linear.reg_bases,
            "lane": linear.lane_bases,
            "warp": linear.warp_bases,
            "block": [],
        }
        return kind, attribute("linear", settings), shape, linear
    settings = {
        "sizePerThread": layout.size_per_thread,
        "threadsPerWarp": layout.threads_per_warp,
        "warpsPerCTA": layout.warps_per_cta,
        "order": order,
    }
    return kind, attribute("blocked", settings), shape, linear


def wavefronts(linear, place, element):
    """Wavefronts of all stores of a tensor, as wide as its registers allow: 32 banks of 4 bytes, phases of 32, 16, 8 lanes."""
    registers = [basis for basis in linear.reg_bases if any(basis)]
    offset = {at: place[tuple(basis)] for at, basis in enumerate(registers)}
    others = [place[tuple(basis)] for basis in linear.lane_bases + linear.warp_bases]
    vector = []
    while element << (len(vector) + 1) <= 16:
        step = [at for at, value in offset.items() if value == 1 << len(vector)]
        if not step:
            break
        vector.append(step[0])

    def whole(count):
        rest = [value for at, value in offset.items() if at not in vector[:count]] + others
        return all(value % (1 << count) == 0 for value in rest)

    while vector and not whole(len(vector)):
        vector.pop()
    free = [basis for at, basis in enumerate(registers) if at not in vector]
    width = element << len(vector)
    lanes = len(linear.lane_bases)
    phase = min(1 << lanes, max(1, 32 * 4 // max(width, 4)))
    total = 0
    for rest in range(1 << (len(free) + len(linear.warp_bases))):
        start = image(free + linear.warp_bases, rest)
        first = [
            place[tuple(one ^ other for one, other in zip(start, image(linear.lane_bases, lane)))] * element
            for lane in range(1 << lanes)
        ]
        for group in range(0, 1 << lanes, phase):
            banks = {}
            for address in first[group : group + phase]:
                for word in range(address // 4, (address + width - 1) // 4 + 1):
                    banks.setdefault(word % 32, set()).add(word)
            total += max(len(words) for words in banks.values())
    return total


def triton_distributed(tally, random_source, count):
    triton = Triton()
    done = 0
    while done < count:
        element = random_source.choice([1, 2, 4])
        kind, encoding, shape, linear = random_distributed(triton, random_source)
        vec, max_phase = random_source.choice([(1, 1), (4, 4), (8, 8)])
        layout = triton.layouts.SwizzledSharedLayout(vec, 1, max_phase, [1, 0])
        shared = attribute("swizzled_shared", {"vec": vec, "perPhase": 1, "maxPhase": max_phase, "order": [1, 0]})
        place = by_place(triton.linear(layout, shape).offset_bases)
        text = f"#d = {encoding}\n{pasted(shared, shape, element, random.Random(0))}\nstore #d"
        answer = ask(text, "--format", "json")
        ours = json.loads(answer)["totals"]["wavefronts"] if answer else None
        tally.compare(f"Triton {kind}", text, ours, wavefronts(linear, place, element))
        done += 1


def main():
    global ARGUMENTS
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--binary", default="target/release/lanescope")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=2400, help="about how many layouts to compare")
    ARGUMENTS = parser.parse_args()
    tally, random_source = Tally(), random.Random(ARGUMENTS.seed)
    share = ARGUMENTS.cases / 24
    for oracle, part in (
        (pycute_layouts, 7),
        (pycute_algebra, 3),
        (cute_dsl, 2),
        (triton_shared, 7),
        (triton_distributed, 5),
    ):
        oracle(tally, random_source, round(part * share))
    for kind, count in sorted(tally.kinds.items()):
        print(f"{kind:<26} {count}")
    print(f"{tally.compared} compared, {tally.differing} differ")
    sys.exit(1 if tally.differing else 0)


main()
