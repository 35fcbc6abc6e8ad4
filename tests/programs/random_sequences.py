"""tables/random.npz holds what numba drew. Words and uniform numbers agree to the last bit; normal ones
as near as logarithms and cosines of float32 do."""
import pathlib

import numpy as np

from expect import tolerance

# Read whole: cases run in threads, and Python's zipfile may not be read by several at a time.
_TABLE = dict(np.load(pathlib.Path(__file__).parent / "tables" / "random.npz"))


def _of(case):
    def table(kind):
        return _TABLE[f"{case}.{kind}"]

    return {"first": table("states"), "words": table("words"),
            "singles": table("float32").view(np.uint32),
            "doubles": table("float64").view(np.uint64), "normals": table("normal32"),
            "normals64": table("normal64"), "end": table("end")}


@tolerance(1e-6, 1e-6)
def zero():
    return _of("zero")


@tolerance(1e-6, 1e-6)
def small():
    return _of("small")


@tolerance(1e-6, 1e-6)
def later():
    return _of("later")


@tolerance(1e-6, 1e-6)
def large():
    return _of("large")


@tolerance(1e-6, 1e-6)
def last():
    return _of("last")
