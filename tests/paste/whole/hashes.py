#!/usr/bin/env python3
# md5-like and AES tables on the GPU
import math, struct, hashlib, os
import numpy as np
from numba import cuda, uint32, uint8, int32

S = [7, 12, 17, 22] * 4 + [5, 9, 14, 20] * 4 + [4, 11, 16, 23] * 4 + [6, 10, 15, 21] * 4
K = np.array([int(abs(math.sin(i + 1)) * 2 ** 32) & 0xFFFFFFFF for i in range(64)], dtype=np.uint32)
ROT = np.array(S, dtype=np.uint32)
INIT = (0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
MASK = 0xFFFFFFFF


def make_crc_table(poly=0xEDB88320):
    table = np.zeros(256, dtype=np.uint32)
    for n in range(256):
        c = n
        for _ in range(8):
            if c & 1:
                c = poly ^ (c >> 1)
            else:
                c = c >> 1
        table[n] = c
    return table


def gf_mul(a, b):
    p = 0
    while b:
        if b & 1:
            p ^= a
        a <<= 1
        if a & 0x100:
            a ^= 0x11B
        b >>= 1
    return p


def make_sbox():
    sbox = [0] * 256
    p = q = 1
    while True:
        p = p ^ ((p << 1) & 0xFF) ^ (0x1B if p & 0x80 else 0)
        q ^= q << 1
        q ^= q << 2
        q ^= q << 4
        q &= 0xFF
        if q & 0x80:
            q ^= 0x09
        x = q
        for shift in (1, 2, 3, 4):
            x ^= ((q << shift) | (q >> (8 - shift))) & 0xFF
        sbox[p] = x ^ 0x63
        if p == 1:
            break
    sbox[0] = 0x63
    return sbox


CRC = make_crc_table()
SBOX = np.array(make_sbox(), dtype=np.uint8)
MUL2 = np.array([gf_mul(i, 2) for i in range(256)], np.uint8)


@cuda.jit(device=True, inline=True)
def rotl(x, n):
    return ((x << n) | (x >> (uint32(32) - n))) & uint32(MASK)


@cuda.jit
def md5_rounds(words, out):
    t = cuda.grid(1)
    if t >= words.shape[0]:
        return
    a, b, c, d = INIT
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
            f = c ^ (b | (~d & MASK))
            g = (7 * i) % 16
        f = (f + a + K[i] + words[t, g]) & MASK
        a, d, c = d, c, b
        n = int(ROT[i])
        b = (b + ((f << n) | (f >> (32 - n)))) & MASK
    out[t, 0] = a
    out[t, 1] = b
    out[t, 2] = c
    out[t, 3] = d


@cuda.jit
def crc32(data, lengths, out):
    t = cuda.grid(1)
    if t < out.size:
        c = 0xFFFFFFFF
        for i in range(lengths[t]):
            c = CRC[(c ^ data[t, i]) & 0xFF] ^ (c >> 8)
        out[t] = c ^ 0xFFFFFFFF


@cuda.jit
def sub_bytes(state):
    i = cuda.grid(1)
    if i < state.size:
        state[i] = MUL2[SBOX[state[i]]]


if __name__ == "__main__":
    for name in ("md5", "crc32"):
        print(f"{name:>8s}", hashlib.md5(name.encode()).hexdigest())
