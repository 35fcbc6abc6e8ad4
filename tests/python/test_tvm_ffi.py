"""Kernels that TVM FFI loads, by its own package: `kjit build --emit tvm-ffi`."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

tvm_ffi = pytest.importorskip("tvm_ffi")
ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = """
@cuda.jit
def scale(x, y, factor):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = x[i] * factor
"""
SIGNATURES = ("scale(float32[::1], float32[::1], float32)", "scale(float64[:], float64[:], float64)")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tvm")
    (folder / "scale.k").write_text(KERNELS)
    kjit = pathlib.Path(os.environ.get("BUILD", ROOT / "build")) / "kjit"
    words = [word for signature in SIGNATURES for word in ("--sig", signature)]
    subprocess.run([kjit, "build", folder / "scale.k:scale", "--emit", "tvm-ffi", "--arch", "cpu", "-o", folder / "scale.so",
                    *words], check=True)
    return tvm_ffi.load_module(str(folder / "scale.so"))


def test_arrays_of_numpy(library):
    x = np.arange(1000, dtype=np.float32)
    y = np.zeros_like(x)
    library.scale(8, 128, x, y, 2.5)
    assert np.array_equal(y, np.float32(2.5) * x)


def test_other_types_are_another_specialisation(library):
    x, y = np.arange(1000.0), np.zeros(500)
    library.scale((4,), [128], x[::2], y, 3)
    assert np.array_equal(y, 3 * x[::2])


def test_tensors_of_pytorch(library):
    torch = pytest.importorskip("torch")
    x = torch.arange(100, dtype=torch.float32)
    y = torch.zeros_like(x)
    library.scale(1, 128, x, y, 2)
    assert torch.equal(y, 2 * x)


def test_what_does_not_fit_is_told(library):
    x = np.zeros(4, np.float32)
    with pytest.raises(TypeError, match=r"no matching definition for scale\(float32\[::1\], int8\[::1\], int\); there is "
                                        r"scale\(float32"):
        library.scale(1, 1, x, x.astype(np.int8), 1)
    with pytest.raises(TypeError, match="takes 3 arguments"):
        library.scale(1, 1, x)
    with pytest.raises(ValueError, match="the block: 0 is not at least 1"):
        library.scale(1, 0, x, x, 1)
