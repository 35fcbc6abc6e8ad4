#!/usr/bin/env python3
"""What a `kjit run` takes from the start of the process to its first result, and to its end, once its
kernel is in the disk cache, beside the least it could take: on a GPU a process that makes a CUDA
context, says so and ends, on the processor one that says something.

    startup.py KJIT DEVICE [CONTEXT]      CONTEXT is build/bench/context
"""
import statistics
import subprocess
import sys
import time

ROUNDS = 15


def once(command):
    """Milliseconds to the first line, and to the end."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        line = process.stdout.readline()
        first = time.perf_counter()
        process.stdout.read()
    if process.returncode or not line:
        sys.exit(f"{' '.join(command)} failed")
    return 1e3 * (first - start), 1e3 * (time.perf_counter() - start)


def main():
    kjit, device, *context = sys.argv[1:]
    least = [context[0]] if device == "cuda" else ["echo"]
    run = [kjit, "run", "examples/hist.k", "--grid", "64x64", "--device", device]
    timed = subprocess.run(run + ["-q", "--time", "9"], check=True, capture_output=True, text=True)
    rounds = [(once(least), once(run)) for _ in range(ROUNDS)]
    for i, what in enumerate(("first result", "end")):
        a = statistics.median(bare[i] for bare, _ in rounds)
        b = statistics.median(ours[i] for _, ours in rounds)
        print(f"kjit run examples/hist.k on {device}, cached, to its {what}: {b:.1f} ms; "
              f"{least[0]}: {a:.1f} ms; {b / a:.2f} times, {b - a:+.1f} ms")
    print(f"    of which the kernel itself: {timed.stdout.strip().splitlines()[-1]}")


main()
