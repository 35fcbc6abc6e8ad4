"""A GPU that only pretends: tests/fake."""
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def test_a_gpu():
    fakes = pathlib.Path(os.environ.get("BUILD", HERE.parents[1] / "build")) / "tests/fake"
    driver, nvrtc = fakes / "libcuda.so.1", fakes / "libnvrtc.so.13"
    if not (driver.exists() and nvrtc.exists()):
        pytest.skip(f"{fakes} was not built: make test-python")
    run = subprocess.run([sys.executable, "-B", str(HERE / "pretended.py")], capture_output=True, text=True,
                         env={**os.environ, "KJIT_DRIVER": str(driver), "KJIT_NVRTC": str(nvrtc), "KJIT_DEVICE": "cuda",
                              "KJIT_CACHE_SIZE": "0"})
    assert run.returncode == 0 and run.stdout == "done\n", run.stdout + run.stderr
