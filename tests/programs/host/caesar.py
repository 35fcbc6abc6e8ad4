"""Letters counted and ciphers broken: texts as arrays of codes."""
import numpy as np
from numba import vectorize

ENGLISH = np.array([8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2.0, 6.1, 7.0, 0.15, 0.77, 4.0, 2.4, 6.7, 7.5,
                    1.9, 0.095, 6.0, 6.3, 9.1, 2.8, 0.98, 2.4, 0.15, 2.0, 0.074])
ENGLISH /= ENGLISH.sum()


@vectorize(["uint8(uint8, int64)"])
def shifted(code, by):
    if 97 <= code <= 122:
        return (code - 97 + by) % 26 + 97
    if 65 <= code <= 90:
        return (code - 65 + by) % 26 + 65
    return code


def encode(text):
    return np.array([ord(c) for c in text], dtype=np.uint8)


def decode(codes):
    return "".join([chr(c) for c in codes])


def frequencies(codes):
    lower = np.where((codes >= 65) & (codes <= 90), codes + 32, codes)
    letters = lower[(lower >= 97) & (lower <= 122)] - 97
    return np.bincount(letters, minlength=26) / max(letters.size, 1)


def crack(codes):
    shares = frequencies(codes)
    fits = [np.sum((np.roll(shares, -k) - ENGLISH) ** 2 / ENGLISH) for k in range(26)]
    return int(np.argmin(fits))


text = ("It was the best of times, it was the worst of times, it was the age of wisdom, "
        "it was the age of foolishness, it was the epoch of belief")
plain = encode(text)
for key in (3, 13, 21):
    secret = shifted(plain, key)
    print(decode(secret)[:40])
    found = crack(secret)
    back = shifted(secret, -found)
    print(key, found, decode(back) == text)
shares = frequencies(plain)
for k in np.argsort(-shares, kind="stable")[:5]:
    print(chr(97 + k), f"{shares[k]:.3f}", "*" * round(float(shares[k]) * 100))
words = text.lower().replace(",", "").split()
print(len(words), max(words, key=len), sorted(words, key=lambda w: (-words.count(w), w))[0])
