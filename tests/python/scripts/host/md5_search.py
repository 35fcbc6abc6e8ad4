"""A brute force search, bits and bytes"""
import hashlib
import struct
import sys
import numpy as np
from numba import cuda, uint32, uint8, int32, uint64

K = np.array([int(abs(__import__("math").sin(i + 1)) * 2**32) & 0xFFFFFFFF for i in range(64)], dtype=np.uint32)
S = np.array([7, 12, 17, 22] * 4 + [5, 9, 14, 20] * 4 + [4, 11, 16, 23] * 4 + [6, 10, 15, 21] * 4, dtype=np.uint32)


@cuda.jit("uint32(uint32, uint32)", device=True, inline=True)
def rotl(x, c):
    return uint32((x << c) | (x >> (32 - c)))


@cuda.jit(device=True)
def md5_block(m, digest):
    k = cuda.const.array_like(K)
    s = cuda.const.array_like(S)
    a, b, c, d = uint32(0x67452301), uint32(0xefcdab89), uint32(0x98badcfe), uint32(0x10325476)
    for i in range(64):
        if i < 16:
            f = (b & c) | (~b & d)
            g = i
        elif i < 32:
            f = (d & b) | (~d & c)
            g = (5 * i + 1) % 16
        elif i < 48:
            f = b ^ c ^ d
            g = (3 * i + 5) % 16
        else:
            f = c ^ (b | ~d)
            g = (7 * i) % 16
        t = uint32(a + f + k[i] + m[g])
        a = d
        d = c
        c = b
        b = uint32(b + rotl(t, s[i]))
    digest[0] = uint32(a + 0x67452301)
    digest[1] = uint32(b + 0xefcdab89)
    digest[2] = uint32(c + 0x98badcfe)
    digest[3] = uint32(d + 0x10325476)


@cuda.jit
def search(target, found, n):
    i = cuda.grid(1)
    if i >= n:
        return
    m = cuda.local.array(16, uint32)
    digest = cuda.local.array(4, dtype=uint32)
    for j in range(16):
        m[j] = 0
    v = i
    # six decimal digits
    chars = cuda.local.array(6, uint8)
    for j in range(6):
        chars[5 - j] = 48 + v % 10
        v //= 10
    for j in range(6):
        m[j >> 2] |= uint32(chars[j]) << ((j & 3) * 8)
    m[1] |= uint32(0x80) << 16
    m[14] = 48
    md5_block(m, digest)
    ok = True
    for j in range(4):
        if digest[j] != target[j]:
            ok = False
            break
    if ok:
        cuda.atomic.min(found, 0, i)


secret = "000613"
target = np.frombuffer(hashlib.md5(secret.encode()).digest(), dtype="<u4")
found = np.full(1, np.iinfo(np.int64).max)
search[(1000 + 127) // 128, 128](target, found, 1000)
print(found[0])
assert found[0] == int(secret)


@cuda.jit
def bits(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i, 0] = cuda.popc(x[i])
        out[i, 1] = cuda.clz(x[i])
        out[i, 2] = cuda.ffs(x[i])
        out[i, 3] = cuda.brev(x[i])


x = np.array([1, 2, 255, 1 << 30, 12345678], dtype=np.uint32)
out = np.zeros((5, 4), np.uint32)
bits[1, 8](x, out)
for v, o in zip(x.tolist(), out.tolist()):
    assert o == [bin(v).count("1"), 32 - v.bit_length(), (v & -v).bit_length(), int(f"{v:032b}"[::-1], 2)], (v, o)
print("ok")
