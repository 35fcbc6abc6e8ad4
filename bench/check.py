#!/usr/bin/env python3
"""What checking costs: launches on the device check beside those on the processor, and memory.

    check.py KJIT [WORD ...]

Prints for each kernel (of those whose names contain a word) what a launch takes: on the device cpu
the least of many, with all cores and with one; on the device check, on one core, the time of the
processor by the difference of few launches and more, as others on the machine do not matter to
that; and how many times as long checking takes as either. The last two columns are of launches
that are not rehearsed, but checked thread by thread. Arrays of the host are copied there and back
where the device needs it; what the compiler takes is not in it, and what rehearsing takes is. Then
the bytes of shadow for each byte of data, by how much more memory a process takes for larger
arrays: a byte of data is one of the host's, one of the checker's, and its shadow.
"""
import os
import re
import subprocess
import sys

LAUNCHES, FEW, TRIALS = 100, 1, 3
MORE = {"": 21, "never": 5}  # by what KJIT_REHEARSE says
MANY, SIDE = 4_000_000, 1024
NORMAL = "normal({}, seed=1, dtype=float32)"
ZEROS = "zeros({}, dtype=float32)"
SQUARE, TURNED = NORMAL.format(f"({SIDE}, {SIDE})"), ZEROS.format(f"({SIDE}, {SIDE})")
TILES = ["a=" + SQUARE, "turned=" + TURNED, "--grid", "32,32x32,32"]
ROW = ["--grid", f"{MANY // 256}x256"]
KERNELS = [
    ("increment", "examples/increment.k", ["a=" + NORMAL.format(MANY), *ROW]),
    ("vector sum", "examples/vector_add.k",
     ["a=" + NORMAL.format(MANY), "b=" + NORMAL.format(MANY), "total=" + ZEROS.format(MANY), *ROW]),
    ("product, grid-stride", "examples/multiply.k",
     ["a=" + NORMAL.format(MANY), "b=" + NORMAL.format(MANY), "product=" + ZEROS.format(MANY)]),
    ("convolution", "examples/convolution.k:smooth",
     ["signal=" + NORMAL.format(MANY), "mean=" + ZEROS.format(MANY - 2), *ROW]),
    ("convolution, shared", "examples/convolution.k:smooth_shared",
     ["signal=" + NORMAL.format(MANY), "mean=" + ZEROS.format(MANY - 2), "--grid",
      f"{MANY // 128}x128"]),
    ("transpose", "examples/transpose.k:transpose_naive", TILES),
    ("transpose, shared", "examples/transpose.k:transpose_shared", TILES),
    ("matrix product", "examples/matmul.k", []),
    ("matrix product, shared", "examples/matmul_shared.k", []),
    ("histogram", "examples/hist.k", ["samples=" + NORMAL.format(MANY)]),
    ("histogram, shared", "examples/hist_shared.k", ["samples=" + NORMAL.format(MANY)]),
    ("reduction, shared", "examples/reduce.k:sum_sequential",
     ["x=" + NORMAL.format(MANY), "sums=" + ZEROS.format(MANY // 256), *ROW]),
    ("game of life", "examples/life.k", []),
]
ADD_ONE = """@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
"""


def command_of(kjit, target, more, device, launches):
    return [kjit, "run", target, "--device", device, "--time", str(launches), "--quiet", *more]


def least_ms(kjit, target, more, cores):
    """Of the processor, by the clock."""
    done = subprocess.run(command_of(kjit, target, more, "cpu", LAUNCHES), capture_output=True,
                          text=True, env=os.environ | {"OMP_NUM_THREADS": str(cores)})
    found = re.search(r"median .*launches, ([0-9.e+-]+) to", done.stdout)
    if not found:
        sys.exit(f"{target}: {done.stderr.strip() or done.stdout.strip()}")
    return float(found.group(1))


def check_ms(kjit, target, more, rehearse):
    """Of the checker: what the processor has worked."""
    def least(launches):
        command = command_of(kjit, target, more, "check", launches)
        return min(used.ru_utime + used.ru_stime
                   for used in (finish(command, rehearse) for _ in range(TRIALS)))

    more_launches = MORE[rehearse]
    return (least(more_launches) - least(FEW)) / (more_launches - FEW) * 1e3


def finish(command, rehearse):
    """What a process has used."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=os.environ | {"OMP_NUM_THREADS": "1", "KJIT_REHEARSE": rehearse})
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)}: status {status}")
    return used


def shadow_bytes(kjit, path):
    sizes = 1_000_000, 9_000_000
    small, large = (finish([kjit, "check", "--orders", "1", path, f"x=zeros({n}, dtype=float32)",
                            "--forall", str(n)], "never").ru_maxrss * 1024 for n in sizes)
    return (large - small) / (4 * (sizes[1] - sizes[0])) - 2


def main():
    kjit = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/kjit")
    words = sys.argv[2:]
    cores = len(os.sched_getaffinity(0))
    print(f"{'milliseconds':24} {f'cpu, {cores} cores':>12} {'cpu, one':>10} {'check':>10} "
          f"{'ratio':>7} {'to one':>7} {'by thread':>10} {'to one':>7}")
    for name, target, more in KERNELS:
        if words and not any(word in name for word in words):
            continue
        many, one = (least_ms(kjit, target, more, count) for count in (cores, 1))
        check, thread = (check_ms(kjit, target, more, way) for way in MORE)
        print(f"{name:24} {many:12.3f} {one:10.3f} {check:10.3f} {check / many:7.1f} "
              f"{check / one:7.1f} {thread:10.3f} {thread / one:7.1f}", flush=True)
    if words:
        return
    path = os.path.join("build", "add_one.k")
    with open(path, "w") as file:
        file.write(ADD_ONE)
    print(f"{shadow_bytes(kjit, path):.1f} bytes of shadow for each byte of data")


if __name__ == "__main__":
    main()
