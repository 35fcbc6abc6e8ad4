"""The package's types, for type checkers: py.typed and the .pyi files. Wants mypy."""
import os
import pathlib
import subprocess
import sys

import pytest

import kjit
from kjit import stubs

version = pytest.importorskip("mypy.version").__version__
if tuple(map(int, version.split(".")[:2])) < (1, 8):
    pytest.skip("mypy is older than 1.8", allow_module_level=True)
PROGRAM = pathlib.Path(__file__).parent / "typed/program.py"
FOLDER = pathlib.Path(kjit.__file__).parents[1]


def mypy(tmp_path, *words):
    return subprocess.run([sys.executable, "-B", "-m", *words], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "MYPYPATH": str(FOLDER)})


def test_a_program_is_checked(tmp_path):
    """Under --strict an error that is expected and does not come is one, too."""
    run = mypy(tmp_path, "mypy", "--strict", "--cache-dir", str(tmp_path), str(PROGRAM))
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_stubs_are_as_the_modules(tmp_path):
    """Names of kernels are objects on the host, whatever they are in kernels; that types of C are no bases of others'
    is nothing that older checkers know."""
    allowed = ["kjit.literal_unroll", "kjit.__main__", r"kjit\._core\.\w+", r"kjit\.cuda\.random\..*xoroshiro128p_.*",
               *(f"kjit.cuda.{name}" for name in stubs.CUDA_NAMES)]
    (tmp_path / "allowed").write_text("\n".join(allowed))
    run = mypy(tmp_path, "mypy.stubtest", "--concise", "--ignore-missing-stub", "--ignore-unused-allowlist", "--allowlist",
               str(tmp_path / "allowed"), "kjit")
    assert run.returncode == 0, run.stdout + run.stderr
