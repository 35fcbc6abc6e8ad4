"""Bytes, and files of texts and bytes."""
import os
import tempfile

import numpy as np


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


b = b"abc\x00\xff'\n"
print(b, len(b), b[0], b[1:3], b == b"abc", b + b"!", bytes(3), bytes([1, 2]), b.hex())
print(list(b"hi"), b"a%d" % 5, b"x" * 3, b"b" in b, 98 in b, b < b"abd", b.find(b"c"))
print("héllo".encode(), "héllo".encode().decode(), type(b), isinstance(b, bytes), {b"k": 1}[b"k"])
print(b" a b ".strip(), b"a,b".split(b","), b"-".join([b"x", b"y"]), b"Ab".upper(), bool(b""))
print(bytearray(b"xy"), bytearray(b"ab")[0], "é".encode("latin-1"), "a".encode("ascii"))
changed = bytearray(b"ab")
changed[0] = 120
changed.append(33)
print(changed, changed == b"xb!", tried(changed.append, 300))
print(tried(lambda: b + "c"), tried(lambda: b[99]), tried(lambda: bytes([300])))
print(tried("é".encode, "ascii"), tried(lambda: bytes("a")))
print(np.frombuffer(b"\x01\x00\x02\x00", dtype=np.int16), np.arange(2, dtype=np.int16).tobytes())
print(np.frombuffer("abc".encode(), dtype=np.uint8), tried(np.frombuffer, b"abc", np.int16))
print("a-b-c".rsplit("-", 1), "a\tb".expandtabs(4), "abc".translate(str.maketrans("ab", "xy")))
print((5).bit_length(), (260).to_bytes(2, "little"), "{a}".format_map({"a": 1}))
s = "hello world hello"
print(s.find("hello", 1), s.find("l", -3), s.count("l", 4), s.startswith("world", 6))
print(s.rfind("hello", 0, 8), s.find("", 99), s.endswith("lo", 0, 5), s.index("o", 5))
print("a\nb\r\nc".splitlines(True), tried(s.index, "x", 3))

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.txt")
    with open(path, "w") as f:
        print(f.write("one\ntwo\n"), f.name == path, f.mode)
        print("three", 3, file=f)
        f.writelines(["x\n", "y"])
    with open(path) as f:
        print(repr(f.readline()), f.read().splitlines(), repr(f.read()))
        f.seek(0)
        print(f.readlines())
    for line in open(path):
        print(repr(line))
    print(f.closed, tried(f.read))
    open(path, "a").write("more")
    print(open(path).read()[-5:], os.path.getsize(path), os.listdir(folder))
    data = os.path.join(folder, "a.bin")
    with open(data, "wb") as f:
        print(f.write(b"\x00\x01hello\n"), f.write(np.arange(2, dtype=np.int32).tobytes()))
    with open(data, "rb") as f:
        print(f.read(3), f.tell(), f.readline(), np.frombuffer(f.read(), dtype=np.int32))
    np.arange(3.0).tofile(data)
    print(np.fromfile(data), sorted(os.listdir(folder)), tried(open, data, "q"))
    os.rename(data, data + "2")
    os.remove(path)
    print(os.path.exists(path), os.listdir(folder))
print(os.path.exists(folder), tried(open, "/not/there"), tried(os.remove, "/not/there"))
print(sorted(["b", "A", "c"], key=str.lower), list(map(str.strip, [" a ", "b "])), tried(str.lower, 1))
print(dict.get({"a": 1}, "a"), list.count([1, 1], 1), str.join("-", ["a", "b"]), tried(str.upper))
