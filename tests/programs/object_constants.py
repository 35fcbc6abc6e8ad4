"""What CPython makes of the constants, from the text of the program itself."""
import pathlib

import numpy as np


def _names():
    text = (pathlib.Path(__file__).parent / "object_constants.k").read_text()
    known = {"np": np, "__name__": "object_constants"}
    exec(text[:text.index("@example")], known)
    return known


def of_texts():
    n = _names()
    out = np.zeros(80)
    out[:32] = n["REVERSED"]
    out[32:36] = n["SPELLED"]
    out[36:39] = n["SHARPS"]
    out[39:44] = n["BASES"]
    out[44:48] = n["LETTERS"]
    out[48:54] = n["CODES"]
    out[54] = n["HALVES"][0]
    out[55] = sum(n["BYTES"])
    separators = n["SEPARATORS"]
    out[56:76] = separators[8:28] | separators[32]
    out[76] = n["MASK"]
    out[77] = n["ORDERED"]["second"]
    out[78:] = separators[[9, 14]]
    return {"out": out}


def of_objects():
    n = _names()
    out = np.zeros(20)
    out[:5] = n["DERIVED"]
    out[5:10] = n["COUNTS"]
    out[10] = n["CHANGED"].limiter + n["CHANGED"].cfl
    out[11] = n["IRHO"] + 10 * n["IMX"] + 100 * n["IE"]
    out[12] = n["GRID"].length
    return {"out": out}


def of_members():
    n = _names()
    x = np.array([0, 1, 2, 3, 17, 27, 8, 16])
    wall, cell = n["Wall"], n["Cell"]
    return {"out": np.array([(x & int(wall.ALL)) == int(wall.ALL), x | int(wall.W) | int(wall.E),
                             x == int(cell.ASH), x * 0 + int(cell.FIRE) + int(wall.S)])}


def changed_and_found():
    return {"out": np.array([10, 5, 4, -1, 3, 4, 7, 0.0])}


def of_numbers_written():
    out = np.zeros(100, np.int64)
    written = _names()["WRITTEN"]
    out[:written.size] = written
    return {"out": out}
