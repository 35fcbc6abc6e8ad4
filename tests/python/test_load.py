"""kjit's own API: kernels of files and texts."""
import pathlib

import numpy as np
import pytest

import kjit

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_kernels_of_a_file():
    samples = np.random.default_rng(1).normal(size=10_000).astype(np.float32)
    counts = np.zeros(150, np.int32)
    kjit.load(ROOT / "examples/hist.k").histogram[8, 64](samples, np.float32(-4), np.float32(4), counts)
    inside = samples[(samples >= -4) & (samples < 4)]
    assert counts.sum() == len(inside)


def test_kernels_of_a_text():
    kernels = kjit.compile("N = 3\n@cuda.jit\ndef f(a):\n    a[cuda.grid(1)] = N\n")
    a = np.zeros(4, np.int16)
    kernels.f[2, 2](a)
    assert a.tolist() == [3] * 4
    assert list(kernels) == ["f"] and kernels.f.params == ("a",)


def test_constants_are_given():
    kernels = kjit.compile("N = 3\n@cuda.jit\ndef f(a):\n    a[0] = N\n", defines={"N": 5})
    a = np.zeros(1)
    kernels.f[1, 1](a)
    assert a[0] == 5


def test_names_that_are_not_there():
    kernels = kjit.compile("@cuda.jit\ndef f(a):\n    a[0] = 1\n")
    with pytest.raises(AttributeError, match="no kernel 'g'; there are f"):
        kernels.g
    with pytest.raises(kjit.FileError, match="there is no file"):
        kjit.load("nowhere.k")


def test_diagnostics():
    with pytest.raises(kjit.TypingError, match=r"(?s)a\.k:3:14: error: .*\n    3 \|     a\[0\] = a\.foo") as caught:
        kjit.compile("@cuda.jit\ndef f(a):\n    a[0] = a.foo\n", name="a.k").f[1, 1](np.zeros(1))
    assert caught.value.status == 1
    with pytest.raises(kjit.TypingError, match="never closed"):
        kjit.compile("@cuda.jit\ndef f(a:\n")


def test_a_launch_is_written_with_a_configuration():
    f = kjit.compile("@cuda.jit\ndef f(a):\n    a[0] = 1\n").f
    a = np.zeros(1)
    for wrong, error in (((1,), ValueError), ((0, 1), ValueError), ((1, (1, 2, 3, 4)), ValueError),
                         ((1, "a"), TypeError), ((-1, 1), ValueError), ((1, 1.5), TypeError)):
        with pytest.raises(error):
            f[wrong](a)
    with pytest.raises(TypeError, match="by position"):
        f[1, 1](a=a)
    with pytest.raises(TypeError, match="f has no parameter 'b'"):
        f[1, 1](b=a)
    with pytest.raises(ValueError, match="f: launch configuration was not specified: write f.blocks, threads"):
        f(a)
    with pytest.raises(kjit.ArgumentError):
        f[1, 1](a, a)
    f[(1,), [1, 1]](a)
    f.forall(1)(a)
    f.forall(10, tpb=5)(a)
    f.forall(0)(a)
