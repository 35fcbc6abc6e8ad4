#!/usr/bin/env python3
"""What checking costs: launches on the device check beside those on the processor, and memory.

    check.py KJIT

Prints for each kernel the least time of a few launches on either device, arrays of the host copied
there and back, and their ratio; then the bytes of shadow for each byte of data, by how much more
memory a process takes for larger arrays: a byte of data is one of the host's, one of the checker's,
and its shadow.
"""
import os
import re
import subprocess
import sys

LAUNCHES = 5
MANY, SIDE = 4_000_000, 1024
NORMAL = "normal({}, seed=1, dtype=float32)"
SQUARE = NORMAL.format(f"({SIDE}, {SIDE})")
KERNELS = [
    ("histogram", "examples/hist.k", ["samples=" + NORMAL.format(MANY)]),
    ("histogram, shared", "examples/hist_shared.k", ["samples=" + NORMAL.format(MANY)]),
    ("increment", "examples/increment.k", ["a=" + NORMAL.format(MANY), "--forall", str(MANY)]),
    ("transpose", "examples/transpose.k:transpose_naive",
     ["a=" + SQUARE, f"turned=zeros(({SIDE}, {SIDE}), dtype=float32)", "--grid", "32,32x32,32"]),
    ("transpose, shared", "examples/transpose.k:transpose_shared",
     ["a=" + SQUARE, f"turned=zeros(({SIDE}, {SIDE}), dtype=float32)", "--grid", "32,32x32,32"]),
    ("reduction, shared", "examples/reduce.k:sum_sequential", []),
    ("matrix product", "examples/matmul.k", []),
    ("matrix product, shared", "examples/matmul_shared.k", []),
    ("game of life", "examples/life.k", []),
]
ADD_ONE = """@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
"""


def least_ms(kjit, target, more, device):
    command = [kjit, "run", target, "--device", device, "--time", str(LAUNCHES), "--quiet"]
    done = subprocess.run(command + more, capture_output=True, text=True)
    found = re.search(r"median .*launches, ([0-9.e+-]+) to", done.stdout)
    if not found:
        sys.exit(f"{target} on {device}: {done.stderr.strip() or done.stdout.strip()}")
    return float(found.group(1))


def most_memory(command):
    """The bytes that a process took at its height."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)}: status {status}")
    return used.ru_maxrss * 1024


def shadow_bytes(kjit, path):
    sizes = 1_000_000, 9_000_000
    small, large = (most_memory([kjit, "check", "--orders", "1", path, f"x=zeros({n}, dtype=float32)",
                                 "--forall", str(n)]) for n in sizes)
    return (large - small) / (4 * (sizes[1] - sizes[0])) - 2


def main():
    kjit = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/kjit")
    print(f"{'kernel':24} {'cpu ms':>10} {'check ms':>10} {'ratio':>7}")
    for name, target, more in KERNELS:
        cpu, check = (least_ms(kjit, target, more, device) for device in ("cpu", "check"))
        print(f"{name:24} {cpu:10.3f} {check:10.3f} {check / cpu:7.1f}", flush=True)
    path = os.path.join("build", "add_one.k")
    with open(path, "w") as file:
        file.write(ADD_ONE)
    print(f"{shadow_bytes(kjit, path):.1f} bytes of shadow for each byte of data")


if __name__ == "__main__":
    main()
