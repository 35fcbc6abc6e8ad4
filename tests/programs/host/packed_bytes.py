"""struct, and functools.singledispatch."""
import functools
import struct


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


print(struct.pack("<2i", 1, -2), struct.calcsize("3f"), struct.calcsize("bi"), struct.calcsize("<bi"))
print(struct.pack(">hHd", -2, 65535, 1.5), struct.unpack(">hHd", struct.pack(">hHd", -2, 65535, 1.5)))
print(struct.unpack("<4sxB?", b"abcd\x00\x07\x01"), struct.pack("3sl", b"xy", 5), struct.unpack("<e", b"\x00\x3c"))
print(struct.unpack_from("<I", b"\x00\x01\x00\x00\x00", 1), list(struct.iter_unpack("<H", b"\x01\x00\x02\x00")))
print(struct.calcsize("<l"), struct.calcsize("l"), struct.pack("<L", 7), struct.pack("=q", -1))
print(tried(struct.pack, "<2i", 1), tried(struct.unpack, "<i", b"abc"), tried(struct.pack, "b", 200), tried(struct.pack, "z", 1))


@functools.singledispatch
def shown(x):
    return "thing"


@shown.register(int)
def _(x):
    return f"int {x}"


@shown.register(list)
def _(x):
    return f"list {len(x)}"


class A:
    pass


class B(A):
    pass


shown.register(A, lambda x: "an A")
print(shown(1), shown([1]), shown("s"), shown(True), shown(A()), shown(B()), shown.__name__)
