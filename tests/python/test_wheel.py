"""The wheel: what is in it, and that it runs where nothing else of kjit is."""
import base64
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import kjit

ROOT = pathlib.Path(__file__).resolve().parents[2]


def backend():
    spec = importlib.util.spec_from_file_location("backend", ROOT / "python/backend.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_wheel(tmp_path):
    packages, extension = pathlib.Path(kjit.__file__).resolve().parents[1], pathlib.Path(kjit._core.__file__).name
    path = backend().write_wheel(packages, tmp_path, kjit.__version__, extension)
    tag = "cp39-abi3" if "abi3" in extension else r"cp(\d+)-cp\1t"
    assert re.match(rf"kjit-{kjit.__version__}-{tag}-(manylinux_2_\d+|linux)_", path.name), path.name
    with zipfile.ZipFile(path) as wheel:
        names = set(wheel.namelist())
        record = next(name for name in names if name.endswith("/RECORD"))
        rows = [row.split(",") for row in wheel.read(record).decode().splitlines()]
        assert {row[0] for row in rows} == names
        for name, digest, size in rows:
            if name != record:
                data = wheel.read(name)
                found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert (digest, int(size)) == (f"sha256={found}", len(data))
        assert {"kjit/__init__.py", "kjit/libkjit.so.0"} <= names
        assert [name for name in names if re.match(r"kjit/_core.*\.so", name)] == [f"kjit/{extension}"]
        assert wheel.getinfo("kjit/kjit").external_attr >> 16 == 0o100755  # a file that pip makes a program
        wheel.extractall(tmp_path / "installed")
    run = subprocess.run([sys.executable, "-B", "-m", "kjit", str(ROOT / "tests/python/scripts/vector_add.py")],
                         cwd=tmp_path, capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")})
    assert run.returncode == 0, run.stderr


def test_tools_of_wheels_beside_its_own(tmp_path):
    """Whether or not an environment is activated."""
    if any(pathlib.Path("/usr/local/cuda/bin", name).exists() for name in ("cuobjdump", "nvdisasm")):
        pytest.skip("the CUDA toolkit's come first")
    tmp_path /= "of [a project]"
    shutil.copytree(pathlib.Path(kjit.__file__).parent, tmp_path / "kjit")
    tool = tmp_path / "nvidia/cu13/bin/nvdisasm"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    run = subprocess.run([tmp_path / "kjit/kjit", "doctor", "--json"], capture_output=True, text=True,
                         env={"PATH": str(tmp_path), "HOME": str(tmp_path), "LD_LIBRARY_PATH": str(tmp_path / "kjit")})
    assert "nvidia/cu13/bin/nvdisasm" in run.stdout, run.stdout + run.stderr


def test_a_wheel_for_each_kind_of_python():
    tag = backend().python_tag
    assert tag("_core.abi3.so") == "cp39-abi3"
    assert tag("_core.cpython-313t-x86_64-linux-gnu.so") == "cp313-cp313t"


def test_the_version_is_the_headers():
    assert backend().version_of_header() == kjit.__version__
