#!/usr/bin/env python3
"""The kernels that are measured, at small sizes on the processor or another device, against NumPy.

    check.py [--kjit build/libkjit.so] [--device cpu] [--build ARCH] [WORD ...]

WORDs choose the rows whose name contains one. The schedule that is chosen for each on a GPU has to lead to the
same text once it is given (docs/schedules.md). --build compiles them for a GPU instead, as they are
measured, and the CUDA texts beside them, which needs NVRTC and no GPU. Prints a line for what is wrong and then `N passed, N
failed`; exits 1 if one failed. On the device check nothing may be found, either.
"""
import argparse
import pathlib
import sys

import numpy as np

import gpu
import libkjit
import rows
from work import Array, bf16, f32, u16

HERE = pathlib.Path(__file__).resolve().parent


def made(array, seed):
    """The base and the view of an array argument, filled as `fill` says."""
    random, shape = np.random.default_rng(seed), array.base_shape()
    kind, low, high = array.fill or ("zeros", 0, 0)
    if kind == "zeros":
        base = np.zeros(shape, array.dtype)
    elif kind == "whole":
        base = random.integers(low, high, shape).astype(array.dtype)
    elif kind == "steps":
        base = np.arange(np.prod(shape)).reshape(shape) * low + random.integers(0, high, shape)
        base = base.astype(array.dtype)
    elif kind == "normal":
        base = random.normal(low, high, shape).astype(array.dtype)
    elif array.dtype == bf16:
        base = (random.uniform(low, high, shape).astype(f32).view("u4") >> 16).astype(u16).view(bf16)
    elif array.dtype.kind == "c":
        base = (random.uniform(low, high, shape)
                + 1j * random.uniform(low, high, shape)).astype(array.dtype)
    else:
        base = random.uniform(low, high, shape).astype(array.dtype)
    return base, array.view(base)


def difference(name, got, want, work):
    """None, or what is wrong with an output."""
    if name in work.unordered:
        got, want = np.sort(got), np.sort(want)
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}"
    exact = not (work.rtol or work.atol)
    with np.errstate(invalid="ignore"):
        good = got == want if exact else np.abs(got - want) <= work.atol + work.rtol * np.abs(want)
    if good.all():
        return None
    first = tuple(int(i) for i in np.argwhere(~good)[0])
    return f"{(~good).sum()} of {good.size} differ, first at {first}: {got[first]}, not {want[first]}"


def run(row, kjit):
    """None, or what is wrong with a row's results."""
    work, args, arrays, keep = row.small(), [], {}, []
    for seed, (name, value) in enumerate(work.args.items()):
        if not isinstance(value, Array):
            args.append(kjit.scalar(value))
            continue
        base, view = made(value, seed)
        assert view.strides == value.strides(), (row.name, name)
        keep.append(base)
        arrays[name] = view
        args.append(kjit.array(base.ctypes.data, value.dtype, value.shape, value.strides(), 0))
    want = work.expected({name: view.copy() for name, view in arrays.items()})
    kjit.launch(kjit.kernel(HERE / row.file, row.kernel), work.grid, work.block, args)
    found = kjit.findings()
    if found:
        return found[0][1]
    wrong = [(name, difference(name, arrays[name], want[name], work)) for name in work.outputs]
    return next((f"{name}: {what}" for name, what in wrong if what), None)


def measured(row, kjit):
    """The arguments of a row as they are measured, with arrays that are nowhere."""
    work = row.full()
    args = [kjit.array(number << 40, value.dtype, value.shape, value.strides(), libkjit.ON_DEVICE)
            if isinstance(value, Array) else kjit.scalar(value)
            for number, value in enumerate(work.args.values(), 1)]
    return work, (libkjit.Arg * len(args))(*args)


def build(row, kjit, arch):
    """As run(), but of compiling for a GPU the types that are measured."""
    _, args = measured(row, kjit)
    kjit.emitted(kjit.kernel(HERE / row.file, row.kernel), b"cubin", args, arch=arch.encode())


def again(row, kjit):
    """None, or that the schedule that is chosen for a GPU leads to another text if it is given."""
    work, args = measured(row, kjit)
    config = kjit.config(work.grid, work.block)

    def emitted(stage, schedule=None):
        return kjit.emitted(kjit.kernel(HERE / row.file, row.kernel, schedule), stage, args, config, b"launch")
    schedule = emitted(b"schedule").decode()
    return None if emitted(b"cuda", schedule) == emitted(b"cuda") else f"another text by its schedule: {schedule}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--kjit", default="build/libkjit.so", type=pathlib.Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--build", metavar="ARCH")
    options = parser.parse_args()
    kjit = libkjit.Kjit(options.kjit.resolve(), options.device)
    passed = failed = 0
    for row in rows.ROWS:
        if options.words and not any(word in row.name for word in options.words):
            continue
        try:
            if options.build:
                wrong = build(row, kjit, options.build)
            else:
                wrong = run(row, kjit) or again(row, kjit)
        except RuntimeError as error:
            wrong = str(error)
        if wrong:
            print(f"{row.name}: {wrong}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
    kjit.close()
    for text in [*rows.TEXTS, "data"] if options.build else ():
        try:
            gpu.nvrtc_cubin((HERE / f"{text}.cu").read_text(), options.build)
            passed += 1
        except gpu.Failed as error:
            print(f"{text}.cu: {error}")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
