#!/usr/bin/env python3
"""What a whole `kjit run` takes once its kernel is in the disk cache, beside the least it could take:
on a GPU a process that makes a CUDA context and ends, on the processor one that does nothing.

    startup.py KJIT DEVICE [CONTEXT]      CONTEXT is build/bench/context
"""
import statistics
import subprocess
import sys
import time

ROUNDS = 15


def once(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1e3 * (time.perf_counter() - start)


def main():
    kjit, device, *context = sys.argv[1:]
    least = [context[0]] if device == "cuda" else ["true"]
    run = [kjit, "run", "examples/hist.k", "--grid", "64x64", "--device", device, "-q"]
    timed = subprocess.run(run[:-1] + ["--time", "9"], check=True, capture_output=True, text=True)
    times = [(once(least), once(run)) for _ in range(ROUNDS)]
    a, b = (statistics.median(column) for column in zip(*times))
    print(f"kjit run examples/hist.k on {device}, cached: {b:.1f} ms; {least[0]}: {a:.1f} ms; "
          f"{b / a:.2f} times, {b - a:+.1f} ms")
    print(f"    of which the kernel itself: {timed.stdout.strip().splitlines()[-1]}")


main()
