"""Files that claim to be arrays: broken, malicious, and a few that are only unusual."""

import os
import struct

from case import COPY, COPY_2D, DONE, FAILED, RUN_COPY, Case


def npy(header, data=b"", version=(1, 0), magic=b"\x93NUMPY", length=None):
    """A .npy file as the format has it, unless told otherwise."""
    text = header.encode("latin-1") if isinstance(header, str) else header
    size = len(text) if length is None else length
    return (
        magic + bytes(version) + struct.pack("<H" if version[0] == 1 else "<I", size) + text + data
    )


def header(descr="'<f8'", order="False", shape="(4,)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


FOUR = struct.pack("<4d", 1, 2, 3, 4)


def broken_npy():
    """name, content: files that are not arrays, or arrays that kjit has no type for."""
    pickle = b"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x04true\x85R."
    yield "empty", b""
    yield "five bytes", b"\x93NUMP"
    yield "the magic alone", b"\x93NUMPY"
    yield "half a header length", b"\x93NUMPY\x01\x00\x10"
    yield "wrong magic", npy(header(), FOUR, magic=b"\x93NUMPX")
    yield "a zip file's magic", b"PK\x03\x04" + bytes(60)
    yield "version 9.9", npy(header(), FOUR, version=(9, 9))
    yield "version 0.0", npy(header(), FOUR, version=(0, 0))
    yield "no header", npy("", FOUR)
    yield "header longer than the file", npy(header(), b"", length=60000)
    yield "header of 4 GiB", npy(header(), FOUR, version=(2, 0), length=0xFFFFFFFF)
    yield "header cut in the middle", npy(header(), FOUR, length=20)
    yield "header is not a dictionary", npy("[1, 2, 3]\n", FOUR)
    yield "header is zeros", npy(bytes(64), FOUR)
    yield "header is high bytes", npy(b"\xff" * 64, FOUR)
    yield "header without a shape", npy("{'descr': '<f8', 'fortran_order': False, }\n", FOUR)
    yield "header without a descr", npy("{'fortran_order': False, 'shape': (4,), }\n", FOUR)
    yield "header of brackets", npy("(" * 30000, FOUR)
    yield "unclosed text", npy("{'descr': '<f8, 'fortran_order': False, 'shape': (4,) }\n", FOUR)
    yield "order is neither", npy(header(order="'perhaps'"), FOUR)
    yield "data missing", npy(header(), b"")
    yield "data cut short", npy(header(), FOUR[:-1])
    for shape in (
        "(-4,)",
        "(-1, -4)",
        "(4.0,)",
        "(nan,)",
        "('4',)",
        "4",
        "None",
        "(4",
        "((4,),)",
        "(18446744073709551616,)",
        "(9223372036854775807,)",
        "(4611686018427387905,)",
        "(4294967296, 4294967296)",
        "(3037000500, 3037000500)",
        "(1000000000000000,)",
        "(" + "9" * 5000 + ",)",
        "(" + "1, " * 40 + ")",
    ):
        yield f"shape {shape[:40]}", npy(header(shape=shape), FOUR)
    for descr in (
        "'|O'",
        "'<U4'",
        "'|S0'",
        "'>U4'",
        "'|V8'",
        "'<M8[zz]'",
        "'<f3'",
        "'<f'",
        "'f'",
        "''",
        "'<f16'",
        "'<i0'",
        "'<f8888888888888888888'",
        "[('x', '<f8'), ('x', '<f8')]",
        "[('x', '|O')]",
        "[('x', '<f8'), ('y', '<f8', (2,)), 7]",
        "[('x', '<f8')",
        "[]",
        "[" * 5000,
        "8",
        "None",
        "'?f8'",
        "'<'",
    ):
        yield f"descr {descr}", npy(header(descr=descr), FOUR)
    yield "objects with a pickle", npy(header(descr="'|O'", shape="(1,)"), pickle)
    yield "a pickle alone", pickle


def whole_npy():
    """name, header, data: files that must be read as 1, 2, 3, 4."""
    yield "plain", npy(header(), FOUR)
    yield "big-endian", npy(header("'>f8'"), struct.pack(">4d", 1, 2, 3, 4))
    yield "big-endian integers", npy(header("'>i2'"), struct.pack(">4h", 1, 2, 3, 4))
    yield "native byte order", npy(header("'=f8'"), FOUR)
    yield "bytes", npy(header("'|u1'"), bytes([1, 2, 3, 4]))
    yield "half precision", npy(header("'<f2'"), struct.pack("<4e", 1, 2, 3, 4))
    yield "version 2.0", npy(header(), FOUR, version=(2, 0))
    yield "version 3.0", npy(header(), FOUR, version=(3, 0))
    yield "Fortran order in one dimension", npy(header(order="True"), FOUR)
    yield "keys in another order", npy(
        "{'shape': (4,), 'fortran_order': False, 'descr': '<f8'}\n", FOUR
    )
    yield "double quotes", npy('{"descr": "<f8", "fortran_order": False, "shape": (4,)}', FOUR)
    yield "no blanks", npy("{'descr':'<f8','fortran_order':False,'shape':(4,)}", FOUR)
    yield "many blanks", npy(header() + " " * 30000 + "\n", FOUR)


def fifo(folder):
    os.mkfifo(folder / "bad.npy")


def endless(folder):
    (folder / "bad.npy").symlink_to("/dev/zero")


def sparse(folder):
    """8 TB of zeros, as the header says, that take no room."""
    with open(folder / "bad.npy", "wb") as file:
        file.write(npy(header(shape="(1000000000000,)")))
        file.truncate(8_000_000_000_200)


def npy_cases():
    load = [*RUN_COPY, "a=bad.npy"]
    for name, content in broken_npy():
        yield Case(f"npy: {name}", load, FAILED, r"bad\.npy", {"copy.k": COPY, "bad.npy": content})
    for name, content in whole_npy():
        yield Case(
            f"npy works: {name}",
            [*RUN_COPY, "a=good.npy", "--save", "b=out.npy"],
            DONE,
            files={"copy.k": COPY, "good.npy": content},
            wrote=[1, 2, 3, 4],
        )
    both = npy(header("'>f4'", "True", "(3, 2)"), struct.pack(">6f", 1, 3, 5, 2, 4, 6))
    yield Case(
        "npy works: big-endian and Fortran order",
        [
            "run",
            "copy.k",
            "--device",
            "cpu",
            "--grid",
            "1x1",
            "a=good.npy",
            "b=zeros((3, 2))",
            "--save",
            "b=out.npy",
        ],
        DONE,
        files={"copy.k": COPY_2D, "good.npy": both},
        wrote=[1, 2, 3, 4, 5, 6],
    )
    yield Case(
        "npy works: no elements",
        ["run", "copy.k", "--device", "cpu", "--grid", "1x32", "a=none.npy", "b=zeros(0)"],
        DONE,
        files={"copy.k": COPY, "none.npy": npy(header(shape="(0,)"))},
    )
    yield Case(
        "npy: more data than the header says",
        load,
        {DONE, FAILED},
        files={"copy.k": COPY, "bad.npy": npy(header(), FOUR + b"more")},
    )
    yield Case(
        "npy: a folder",
        load,
        FAILED,
        r"bad\.npy",
        {"copy.k": COPY},
        before=lambda folder: (folder / "bad.npy").mkdir(),
    )
    yield Case("npy: missing", load, FAILED, r"bad\.npy", {"copy.k": COPY})
    yield Case(
        "npy: a pipe without a writer", load, FAILED, r"bad\.npy", {"copy.k": COPY}, before=fifo
    )
    yield Case(
        "npy: a device without end", load, FAILED, r"bad\.npy", {"copy.k": COPY}, before=endless
    )
    yield Case(
        "bin: a device without end",
        [*RUN_COPY, 'a=load("/dev/zero", dtype=float64)'],
        FAILED,
        "/dev/zero",
        {"copy.k": COPY},
    )
    needs = r"bad\.npy' needs"
    yield Case("npy: eight terabytes", load, FAILED, needs, {"copy.k": COPY}, before=sparse)
    yield Case(
        "npz: not an archive",
        [*RUN_COPY, 'a=load("bad.npz", "x")'],
        FAILED,
        r"bad\.npz",
        {"copy.k": COPY, "bad.npz": b"PK\x03\x04" + bytes(200)},
    )
    yield Case(
        "bin: not a whole number of elements",
        [*RUN_COPY, 'a=load("bad.bin", dtype=float64)'],
        FAILED,
        r"bad\.bin",
        {"copy.k": COPY, "bad.bin": b"abc"},
    )
    yield Case(
        "bin: shorter than its shape",
        [*RUN_COPY, 'a=load("bad.bin", dtype=float64, shape=(400,))'],
        FAILED,
        r"bad\.bin",
        {"copy.k": COPY, "bad.bin": FOUR},
    )
