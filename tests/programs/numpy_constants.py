"""The constants of numpy_constants.k as NumPy computes them: from its own text."""
import pathlib

import numpy as np

from expect import tolerance

text = pathlib.Path(__file__).with_suffix(".k").read_text().split("\n\n\n@example", 1)[0]
made = {}
with np.errstate(divide="ignore"):
    exec(text.replace("from numba import cuda\n", ""), made)


def _whole(name, size=400):
    out = np.zeros(size)
    out[:made[name].size] = made[name].ravel()
    return {"out": out}


@tolerance(1e-13, 1e-15)
def joined():
    return _whole("JOINED")


@tolerance(1e-13, 1e-15)
def turned():
    return _whole("TURNED")


@tolerance(1e-13, 1e-15)
def sums():
    return _whole("SUMS")


def ordered():
    return _whole("ORDERED")


@tolerance(1e-13, 1e-15)
def multiplied():
    return _whole("MULTIPLIED")


@tolerance(1e-13, 1e-15)
def applied():
    return _whole("APPLIED")


@tolerance(1e-13, 1e-15)
def series():
    return _whole("SERIES")


@tolerance(1e-13, 1e-15)
def parts():
    return _whole("PARTS")


def picked():
    return _whole("PICKED", 6)


@tolerance(1e-13, 1e-15)
def same():
    return _whole("SAME")


def reduced():
    out = _whole("REDUCED", 600)
    out["out"][599] = made["NAMED"]
    return out
