"""Kernels on the processor that end their process, or do not end."""
import signal
import subprocess
import sys

import pytest

REACHES = '''import sys
import numpy as np
from kjit import cuda

@cuda.jit
def inner(x, where):
    x[where + cuda.grid(1)] = 1

def reaches(blocks=64):
    inner[blocks, 32](np.zeros(4), 2 ** 44)

'''
SAYS = "kjit: the kernel inner crashed (out-of-bounds access?): debug=True or KJIT_DEVICE=check find the place\n"


def python(tmp_path, monkeypatch, text):
    monkeypatch.setenv("KJIT_DEVICE", "cpu")
    script = tmp_path / "script.py"
    script.write_text(REACHES + text)
    return subprocess.run([sys.executable, "-B", str(script)], capture_output=True, text=True)


@pytest.mark.parametrize("blocks", [1, 64])
def test_a_kernel_that_crashes_is_named(tmp_path, monkeypatch, blocks):
    run = python(tmp_path, monkeypatch, f"reaches({blocks})\n")
    assert run.returncode == -signal.SIGSEGV and run.stderr.endswith(SAYS), run.stderr


def test_what_crashes_outside_kernels_is_as_ever(tmp_path, monkeypatch):
    run = python(tmp_path, monkeypatch, "inner[1, 4](np.zeros(4), 0)\nimport ctypes\nctypes.string_at(8)\n")
    assert (run.returncode, run.stderr) == (-signal.SIGSEGV, "")
    run = python(tmp_path, monkeypatch, "inner[1, 4](np.zeros(4), 0)\nimport os, signal\n"
                                        "os.kill(os.getpid(), signal.SIGSEGV)\nprint('alive')\n")
    assert (run.returncode, run.stdout, run.stderr) == (-signal.SIGSEGV, "", "")


def test_a_handler_of_the_program_stays(tmp_path, monkeypatch):
    run = python(tmp_path, monkeypatch, "import faulthandler\nfaulthandler.enable()\nreaches()\n")
    assert run.returncode == -signal.SIGSEGV
    assert run.stderr.startswith("Fatal Python error: Segmentation fault") and "kjit:" not in run.stderr
