#!/usr/bin/env python
"""ChaCha20, SHA-256 mining, CRC and XTEA on a graphics card."""
import binascii
import hashlib
import secrets
import struct
import sys

import numpy as np
from numba import cuda, uint8, uint32, uint64, int32

MASK32 = 0xFFFFFFFF
SIGMA = struct.unpack("<4I", b"expand 32-byte k")
C0, C1, C2, C3 = SIGMA
K = np.array([int(np.floor(np.cbrt(p) % 1 * 2 ** 32)) for p in
              [n for n in range(2, 312) if all(n % d for d in range(2, int(n ** .5) + 1))]],
             dtype=np.uint32)
H0 = np.array([int(np.floor(np.sqrt(p) % 1 * 2 ** 32)) for p in (2, 3, 5, 7, 11, 13, 17, 19)],
              dtype=np.uint32)
DELTA = uint32(0x9E3779B9)


@cuda.jit(uint32(uint32, int32), device=True, inline=True)
def rotl(x, n):
    return ((x << n) | (x >> (32 - n))) & MASK32


@cuda.jit(device=True)
def quarter(s, a, b, c, d):
    s[a] += s[b]; s[d] = rotl(s[d] ^ s[a], 16)
    s[c] += s[d]; s[b] = rotl(s[b] ^ s[c], 12)
    s[a] += s[b]; s[d] = rotl(s[d] ^ s[a], 8)
    s[c] += s[d]; s[b] = rotl(s[b] ^ s[c], 7)


@cuda.jit
def chacha20(key, nonce, counter, data):
    blk = cuda.grid(1)
    if blk * 16 >= data.size:
        return
    s = cuda.local.array(16, uint32)
    w = cuda.local.array(16, dtype=np.uint32)
    s[0] = C0
    s[1] = C1
    s[2] = C2
    s[3] = C3
    for i in range(8):
        s[4 + i] = key[i]
    s[12] = counter + blk
    for i in range(3):
        s[13 + i] = nonce[i]
    for i in range(16):
        w[i] = s[i]
    for _ in range(10):
        quarter(w, 0, 4, 8, 12)
        quarter(w, 1, 5, 9, 13)
        quarter(w, 2, 6, 10, 14)
        quarter(w, 3, 7, 11, 15)
        quarter(w, 0, 5, 10, 15)
        quarter(w, 1, 6, 11, 12)
        quarter(w, 2, 7, 8, 13)
        quarter(w, 3, 4, 9, 14)
    for i in range(16):
        if blk * 16 + i < data.size:
            data[blk * 16 + i] ^= w[i] + s[i]


@cuda.jit(device=True)
def rotr(x, n):
    return uint32((x >> uint32(n)) | (x << uint32(32 - n)))


@cuda.jit(device=True)
def compress(h, w):
    for t in range(16, 64):
        s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ (w[t - 15] >> 3)
        s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ (w[t - 2] >> 10)
        w[t] = w[t - 16] + s0 + w[t - 7] + s1
    a, b, c, d, e, f, g, hh = h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
    for t in range(64):
        S1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)
        ch = (e & f) ^ (~e & g)
        t1 = uint32(hh + S1 + ch + K[t] + w[t])
        S0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)
        maj = (a & b) ^ (a & c) ^ (b & c)
        t2 = uint32(S0 + maj)
        hh, g, f, e, d, c, b, a = g, f, e, uint32(d + t1), c, b, a, uint32(t1 + t2)
    for i, v in enumerate((a, b, c, d, e, f, g, hh)):
        h[i] += v


@cuda.jit
def sha256_of_nonces(prefix, first, digests):
    tid = cuda.grid(1)
    if tid >= digests.shape[0]:
        return
    w = cuda.local.array(64, uint32)
    h = cuda.local.array(8, uint32)
    for i in range(8):
        h[i] = H0[i]
    for i in range(16):
        w[i] = 0
    for i in range(prefix.size):
        w[i] = prefix[i]
    w[prefix.size] = first + tid
    w[prefix.size + 1] = 0x80000000
    w[15] = (prefix.size + 1) * 32
    compress(h, w)
    for i in range(8):
        digests[tid, i] = h[i]


@cuda.jit
def mine(digests, zeros, found):
    tid = cuda.grid(1)
    if tid < len(digests):
        if cuda.clz(digests[tid, 0]) >= zeros:
            cuda.atomic.min(found, 0, tid)


@cuda.jit
def crc32_rows(rows, table, out):
    r = cuda.grid(1)
    if r < rows.shape[0]:
        crc = uint32(0xFFFFFFFF)
        for k in range(rows.shape[1]):
            crc = table[(crc ^ rows[r, k]) & 0xFF] ^ (crc >> 8)
        out[r] = ~crc


@cuda.jit('void(uint32[:, :], uint32[:])')
def xtea(v, key):
    i = cuda.grid(1)
    if i < v.shape[0]:
        v0, v1, sum_ = v[i, 0], v[i, 1], uint32(0)
        for _ in range(32):
            v0 = uint32(v0 + ((((v1 << 4) ^ (v1 >> 5)) + v1) ^ (sum_ + key[sum_ & 3])))
            sum_ = uint32(sum_ + DELTA)
            v1 = uint32(v1 + ((((v0 << 4) ^ (v0 >> 5)) + v0) ^ (sum_ + key[(sum_ >> 11) & 3])))
        v[i] = v0, v1


def crc_table():
    t = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ (0xEDB88320 if n & 1 else 0)
        t.append(n)
    return np.array(t, np.uint32)


def main():
    key = np.arange(8, dtype=np.uint32) * np.uint32(0x01010101)
    data = np.zeros(40, np.uint32)
    chacha20[1, 4](key, np.array([0, 0x4A000000, 0], np.uint32), 1, data)
    print(" ".join("%08x" % int(w) for w in data[:8]))
    digests = np.zeros((8, 8), np.uint32)
    prefix = np.array([0x6B6A6974, 0x12345678], np.uint32)
    sha256_of_nonces[1, 8](prefix, np.uint32(100), digests)
    for tid in (0, 5):
        wanted = hashlib.sha256(struct.pack(">3I", 0x6B6A6974, 0x12345678, 100 + tid)).hexdigest()
        got = "".join(f"{int(w):08x}" for w in digests[tid])
        print(got == wanted, got)
    found = np.array([99], np.int32)
    mine[1, 8](digests, 1, found)
    print(int(found[0]))
    rows = np.frombuffer(b"123456789abcdefghi", np.uint8).reshape(2, 9).copy()
    out = np.zeros(2, np.uint32)
    crc32_rows[1, 2](rows, crc_table(), out)
    print([hex(int(c)) for c in out], hex(binascii.crc32(b"123456789")))


if __name__ == "__main__":
    sys.exit(main())
