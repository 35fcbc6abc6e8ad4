"""A hash table with open addressing: inserted, counted and looked up by kernels."""
import numpy as np
from numba import cuda, int64, uint64

EMPTY = -1


@cuda.jit(device=True)
def hash64(key):
    h = uint64(key) * uint64(0x9E3779B97F4A7C15)
    return h ^ (h >> uint64(29))


@cuda.jit
def insert(keys, table, counts):
    i = cuda.grid(1)
    if i >= keys.size:
        return
    slot = int64(hash64(keys[i]) % uint64(table.size))
    while True:
        found = cuda.atomic.compare_and_swap(table[slot:slot + 1], EMPTY, keys[i])
        if found == EMPTY or found == keys[i]:
            cuda.atomic.add(counts, slot, 1)
            return
        slot = (slot + 1) % table.size


@cuda.jit
def lookup(keys, table, counts, out):
    i = cuda.grid(1)
    if i < keys.size:
        slot = int64(hash64(keys[i]) % uint64(table.size))
        out[i] = 0
        while table[slot] != EMPTY:
            if table[slot] == keys[i]:
                out[i] = counts[slot]
                break
            slot = (slot + 1) % table.size


rng = np.random.default_rng(11)
keys = rng.exponential(60.0, 4000).astype(np.int64)
table = cuda.to_device(np.full(1024, EMPTY, dtype=np.int64))
counts = cuda.to_device(np.zeros(1024, dtype=np.int32))
insert.forall(keys.size)(keys, table, counts)

wanted = np.arange(0, 600, 7)
out = np.empty(wanted.size, dtype=np.int32)
lookup[(wanted.size + 63) // 64, 64](wanted, table, counts, out)
expected = np.array([np.count_nonzero(keys == w) for w in wanted])
print("all found:", np.array_equal(out, expected), "of", len(wanted))
filled = table.copy_to_host()
present = filled[filled != EMPTY]
print("distinct", present.size, np.unique(keys).size, "total", counts.copy_to_host().sum())
print("load %.3f" % (present.size / filled.size))
top = np.argsort(-expected, kind="stable")[:5]
for t in top:
    print(f"key {wanted[t]:3d} {expected[t]:3d} times")
