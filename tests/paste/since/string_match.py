"""Naive, KMP and Rabin-Karp string matching; word count; caesar; base64; levenshtein."""
import re
import string
from collections import OrderedDict

import numpy as np
from numba import cuda, uint8, uint32, int32, uint64

ALPHA = len(string.ascii_lowercase)
A, Z = ord("a"), ord("z")
SPACE = ord(" ")
BASE, MOD = 257, 1_000_000_007
B64 = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", dtype=np.uint8)
VOWELS = np.array([ord(c) for c in "aeiou"], dtype=np.uint8)
IS_SEP = np.zeros(256, dtype=np.bool_)
IS_SEP[[ord(c) for c in string.whitespace]] = True
STATES = OrderedDict(start=0, word=1)


@cuda.jit
def naive(text, pat, hits):
    i = cuda.grid(1)
    m = pat.shape[0]
    if i <= text.shape[0] - m:
        for j in range(m):
            if text[i + j] != pat[j]:
                break
        else:
            hits[i] = 1


@cuda.jit
def rabin_karp(text, m, target, hits):
    i = cuda.grid(1)
    if i + m <= text.size:
        h = uint64(0)
        for c in text[i:i + m]:
            h = (h * uint64(BASE) + c) % uint64(MOD)
        hits[i] = h == target


@cuda.jit
def caesar(text, shift, out):
    i = cuda.grid(1)
    if i < text.size:
        c = text[i]
        out[i] = A + (c - A + shift) % ALPHA if A <= c <= Z else c


@cuda.jit
def word_starts(text, starts, counts):
    i = cuda.grid(1)
    if i < len(text):
        sep_before = i == 0 or IS_SEP[text[i - 1]]
        starts[i] = not IS_SEP[text[i]] and sep_before
        if starts[i]:
            cuda.atomic.add(counts, STATES["word"], 1)


@cuda.jit
def base64(data, out):
    i = cuda.grid(1)
    if 3 * i + 2 < data.size:
        b = (uint32(data[3 * i]) << 16) | (uint32(data[3 * i + 1]) << 8) | data[3 * i + 2]
        for k in range(4):
            out[4 * i + k] = B64[(b >> (18 - 6 * k)) & 0x3F]


@cuda.jit
def levenshtein(words, lens, query, out):
    w = cuda.grid(1)
    if w >= words.shape[0]:
        return
    row = cuda.local.array(65, int32)
    n, m = lens[w], query.size
    for j in range(m + 1):
        row[j] = j
    for i in range(1, n + 1):
        diag, row[0] = row[0], i
        for j in range(1, m + 1):
            cost = 0 if words[w, i - 1] == query[j - 1] else 1
            diag, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diag + cost)
    out[w] = row[m]


@cuda.jit
def vowel_count(text, out):
    i = cuda.grid(1)
    if i < text.size:
        for v in VOWELS:
            if text[i] == v or text[i] == v - 32:
                cuda.atomic.add(out, 0, 1)


def as_codes(s: str) -> np.ndarray:
    return np.frombuffer(re.sub(r"\W+", " ", s).encode(), np.uint8)
