"""Other libraries' arrays: interop.py, which leaves out those that are not there."""
import pathlib
import subprocess
import sys


def test_arrays_of_other_libraries():
    run = subprocess.run([sys.executable, "-B", str(pathlib.Path(__file__).with_name("interop.py"))], capture_output=True,
                         text=True)
    assert run.returncode == 0 and "NumPy: its own memory" in run.stdout, run.stdout + run.stderr
