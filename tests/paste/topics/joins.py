"""Hash joins, group-by and bitmaps over columns."""
import os
from collections import OrderedDict, defaultdict

import numpy as np
import pandas as pd
import pyarrow as pa
from numba import cuda, types
from numba.np import numpy_support

try:
    import cudf
    from cudf.core.column import as_column
except Exception as exc:  # noqa
    cudf = None

EMPTY = -1
LOAD_FACTOR = .5
MURMUR_C1 = np.uint32(0xcc9e2d51)
MURMUR_C2 = np.uint32(0x1b873593)
AGGREGATES = OrderedDict(sum=0, min=1, max=2, count=3)
SUM, MIN, MAX, COUNT = AGGREGATES.values()


@cuda.jit(device=True)
def murmur(k):
    h = types.uint32(k)
    h ^= h >> types.uint32(16)
    h = types.uint32(h * types.uint32(0x85ebca6b))
    h ^= h >> types.uint32(13)
    h = types.uint32(h * types.uint32(0xc2b2ae35))
    h ^= h >> types.uint32(16)
    return h


@cuda.jit
def build_table(keys, slots_key, slots_row):
    i = cuda.grid(1)
    if i < keys.size:
        size = slots_key.size
        slot = murmur(keys[i]) % size
        while True:
            old = cuda.atomic.compare_and_swap(slots_key[slot:], EMPTY, keys[i])
            if old == EMPTY or old == keys[i]:
                cuda.atomic.max(slots_row, slot, i)
                break
            slot = (slot + 1) % size


@cuda.jit
def probe(keys, slots_key, slots_row, match):
    i = cuda.grid(1)
    if i >= keys.size:
        return
    slot = murmur(keys[i]) % slots_key.size
    match[i] = -1
    for _ in range(slots_key.size):
        k = slots_key[slot]
        if k == keys[i]:
            match[i] = slots_row[slot]
            return
        if k == EMPTY:
            return
        slot += 1
        if slot == slots_key.size:
            slot = 0


def make_group_by(op):
    @cuda.jit
    def group_by(keys, values, out):
        i = cuda.grid(1)
        if i < keys.shape[0]:
            g = keys[i]
            if op == SUM:
                cuda.atomic.add(out, g, values[i])
            elif op == MIN:
                cuda.atomic.min(out, g, values[i])
            elif op == MAX:
                cuda.atomic.max(out, g, values[i])
            else:
                cuda.atomic.add(out, g, 1)
    return group_by


group_sum = make_group_by(SUM)
group_min = make_group_by(MIN)
group_count = make_group_by(op=COUNT)


@cuda.jit
def gpu_mask_and(lhs, rhs, out, nulls):
    tid = cuda.grid(1)
    if tid < out.size:
        out[tid] = lhs[tid] & rhs[tid]
        cuda.atomic.add(nulls, 0, 8 - cuda.popc(types.int32(out[tid])))


@cuda.jit
def gpu_scatter_bits(mask, bits):
    word = cuda.grid(1)
    if word < bits.size:
        b = np.uint32(0)
        for k in range(32):
            row = word * 32 + k
            if row < mask.size and mask[row]:
                b |= np.uint32(1) << np.uint32(k)
        bits[word] = b


@cuda.jit
def dict_encode(offsets, chars, lut_offsets, lut_chars, codes):
    row = cuda.grid(1)
    if row >= codes.size:
        return
    begin, end = offsets[row], offsets[row + 1]
    code = -1
    for c in range(lut_offsets.size - 1):
        n = lut_offsets[c + 1] - lut_offsets[c]
        if n != end - begin:
            continue
        for k in range(n):
            if lut_chars[lut_offsets[c] + k] != chars[begin + k]:
                break
        else:
            code = c
            break
    codes[row] = code


def encode(strings):
    blob = "".join(strings).encode()
    return np.cumsum([0] + [len(s) for s in strings]).astype(np.int32), np.frombuffer(blob, np.uint8).copy()


def main():
    left = np.array([5, 9, 2, 7, 11, 5, 300, 8], np.int32)
    right = np.array([7, 5, 300, 1], np.int32)
    size = 16
    kt, rt = np.full(size, EMPTY, np.int32), np.full(size, -1, np.int32)
    build_table[1, 32](right, kt, rt)
    match = np.empty(left.size, np.int32)
    probe[1, 32](left, kt, rt, match)
    print(match.tolist(), [int(right[m]) if m >= 0 else None for m in match])
    keys = np.array([0, 1, 2, 1, 0, 3], np.int64)
    vals = np.array([1.5, 2, -3, 4, 5, 6])
    for name, kernel, start in [("sum", group_sum, 0), ("min", group_min, np.inf), ("n", group_count, 0)]:
        out = np.full(4, start, np.float64)
        kernel[1, 8](keys, vals, out)
        print(name, out.tolist())
    bits = np.zeros(2, np.uint32)
    gpu_scatter_bits[1, 2](np.arange(40) % 3 == 0, bits)
    print([hex(int(b)) for b in bits])
    off, ch = encode(["red", "blue", "green", "re", "blue"])
    lo, lc = encode(["blue", "green", "red"])
    codes = np.zeros(5, np.int32)
    dict_encode[1, 8](off, ch, lo, lc, codes)
    print(codes.tolist())


if __name__ == "__main__":
    main()
