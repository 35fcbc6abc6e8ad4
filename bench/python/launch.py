#!/usr/bin/env python3
"""What the Python package costs: a launch with three small arrays beside the same from C, and importing.

    launch.py CALL [DEVICE]     CALL is bench/python/call.c, compiled

Each figure is the least of many, since other programs only make them larger.
"""
import pathlib
import subprocess
import sys
import time

import numpy as np

import kjit

HERE = pathlib.Path(__file__).resolve().parent
LAUNCHES, ROUNDS, IMPORTS = 1000, 300, 20


def least_ns(call, *args):
    least = float("inf")
    for _ in range(ROUNDS):
        begin = time.perf_counter_ns()
        for _ in range(LAUNCHES):
            call(*args)
        least = min(least, (time.perf_counter_ns() - begin) / LAUNCHES)
    return least


def import_ms(module):
    text = f"import time\nt = time.perf_counter()\nimport {module}\nprint(time.perf_counter() - t)"
    return min(1000 * float(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True,
                                           check=True).stdout) for _ in range(IMPORTS))


def main():
    call, device = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "cpu"
    text = HERE / "add.k"
    in_c = float(subprocess.run([call, device, str(text)], capture_output=True, text=True, check=True).stdout)
    print(f"a launch from C: {in_c:.0f} ns")

    kernel = kjit.load(text, device=device).add
    dispatcher_text = "from kjit import cuda\n\n\n" + text.read_text()
    scope = {}
    import linecache
    linecache.cache["<add>"] = len(dispatcher_text), None, dispatcher_text.splitlines(keepends=True), "<add>"
    exec(compile(dispatcher_text, "<add>", "exec"), scope)
    arrays = [np.zeros(4, np.float32) for _ in range(3)]
    views = [memoryview(array) for array in arrays]
    on_device = [scope["cuda"].to_device(array) for array in arrays]
    jitted = scope["add"]

    def nothing(a, b, c):
        pass

    own = least_ns(nothing, *arrays)
    for what, function, args in (
            ("kjit.load()'s kernel, NumPy arrays", kernel[1, 4], arrays),
            ("@cuda.jit, NumPy arrays", jitted[1, 4], arrays),
            ("@cuda.jit, device arrays", jitted[1, 4], on_device),
            ("@cuda.jit, memoryviews", jitted[1, 4], views),
            ("@cuda.jit, NumPy arrays, with the brackets", lambda a, b, c: jitted[1, 4](a, b, c), arrays)):
        took = least_ns(function, *args)
        print(f"{what}: {took:.0f} ns, {took - in_c:+.0f} ns (a Python function that does nothing: {own:.0f} ns)")
    print(f"import kjit: {import_ms('kjit'):.1f} ms, of it _core: {import_ms('kjit._core'):.1f} ms; "
          f"import numpy: {import_ms('numpy'):.1f} ms")


if __name__ == "__main__":
    main()
