# Python's integers beyond 64 bits where NumPy and kernels meet them.
import numpy as np, json, struct, pickle, random
from numba import cuda, njit, uint64
def tell(f):
    try:
        r = f()
        print(repr(r), getattr(r, "dtype", type(r).__name__))
    except (OverflowError, ValueError, TypeError, struct.error) as e:
        print(type(e).__name__, e)
tell(lambda: np.uint64(0xcbf29ce484222325))
tell(lambda: np.uint64(2**63 + 5) + np.uint64(1))
tell(lambda: np.uint64(1) + 2**63)
tell(lambda: 2**63 ^ np.uint64(1))
tell(lambda: np.int64(1) + 2**63)
tell(lambda: np.float32(1) + 2**70)
tell(lambda: np.float64(1) * 2**70)
tell(lambda: np.uint64(1) + 2**64)
tell(lambda: int(np.uint64(2**64 - 1)) + 1)
tell(lambda: np.array([2**64 - 1], dtype=np.uint64))
tell(lambda: np.array([2**63, 2**63 + 1]))
tell(lambda: np.array([2**70, 1], dtype=np.float64))
tell(lambda: np.array([2**70], dtype=np.uint64))
tell(lambda: np.array([1, 2**63], dtype=np.int64))
tell(lambda: np.full(2, 2**64 - 1, dtype=np.uint64))
tell(lambda: np.full(2, 2**70, dtype=np.float32))
tell(lambda: np.arange(3, dtype=np.uint64) * 0x9E3779B97F4A7C15)
tell(lambda: np.arange(3, dtype=np.uint64) ^ (1 << 63))
tell(lambda: np.arange(3.0) * 2**70)
tell(lambda: np.arange(3) + 2**63)
tell(lambda: np.arange(3, dtype=np.float32) + 2**70)
tell(lambda: np.uint64(2**64 - 1).item())
tell(lambda: np.array([2**64 - 1, 3], dtype=np.uint64).tolist())
tell(lambda: np.iinfo(np.uint64).max)
x = np.zeros(4, dtype=np.uint64)
x[0] = 2**64 - 1
x[1:3] = 2**63
tell(lambda: x)
x[[0, 3]] = 2**63 + 1
x[x == 0] = 7
tell(lambda: x)
y = np.zeros(2)
y[0] = 2**70
tell(lambda: y)
def bad():
    x[0] = 2**64
tell(bad)
def bad2():
    z = np.zeros(3, dtype=np.int32); z[1] = 2**63
tell(bad2)
tell(lambda: x == 2**63)
tell(lambda: np.uint64(2**63) == 2**63)
tell(lambda: np.uint64(2**63) < 2**63 + 1)
tell(lambda: np.float64(2.0**70) == 2**70)
tell(lambda: np.int64(5) < 2**70)
tell(lambda: json.dumps([2**70, -2**65]))
tell(lambda: json.loads("[36893488147419103232, 5]"))
tell(lambda: struct.pack("<Q", 2**64 - 1))
tell(lambda: struct.unpack("<Qq", b"\xff" * 16))
tell(lambda: random.Random(2**70).random())
tell(lambda: pickle.loads(pickle.dumps({2**70: -2**90, 5: 2**63})))
tell(lambda: pickle.dumps(2**70))
tell(lambda: np.random.default_rng(2**70).integers(0, 10, 3))
@cuda.jit
def k(a, s):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] * s + uint64(i)
a = np.ones(3, dtype=np.uint64)
k[1, 4](a, np.uint64(6364136223846793005 * 3 & (2**64 - 1)))
tell(lambda: a)
MASK = 0xFFFFFFFFFFFFFFFF
@cuda.jit
def k2(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] ^= MASK
k2[1, 4](a)
tell(lambda: a)
tell(lambda: sum(a.tolist()))
tell(lambda: int("-123456789012345678901234567890"))
tell(lambda: int(" +1_000_000_000_000_000_000_000 "))
tell(lambda: int(1e30))
tell(lambda: round(1e25))
tell(lambda: "{:>30}|{:<30,}|{!r}".format(2**70, 2**70, 2**70))
tell(lambda: str(2**70).zfill(30))
tell(lambda: range(2**62, 2**62 + 3)[1])
tell(lambda: divmod(-2**70, 10**9))
tell(lambda: (2**70).bit_count())
tell(lambda: (-2**70).to_bytes(9, "little", signed=True))
tell(lambda: 2**64 in [1, 2**64])
tell(lambda: complex(2**70))
tell(lambda: 2**70 * 1j)
tell(lambda: 2**70 == 2.0**70 + 0j)
tell(lambda: abs(-2**63))
tell(lambda: -(-2**63))
tell(lambda: (-2**63) // -1)
tell(lambda: sorted({3: 1, 2**70: 2}))
tell(lambda: np.int32(2**40))
tell(lambda: np.uint8(-1))
tell(lambda: np.int8(np.int64(200)))
tell(lambda: np.int16(-2**15))
