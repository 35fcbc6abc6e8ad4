"""Scripts of numba's, as they are: they compare their results with NumPy's themselves."""
import pathlib
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).parent / "scripts"
HELPERS = ("shapes.py",)


@pytest.mark.parametrize("name", sorted(path.name for path in SCRIPTS.glob("*.py") if path.name not in HELPERS))
def test_script(name):
    run = subprocess.run([sys.executable, "-B", "-m", "kjit", str(SCRIPTS / name)], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
