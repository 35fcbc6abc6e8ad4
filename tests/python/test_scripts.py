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


def kjit(*words):
    return subprocess.run([sys.executable, "-B", "-m", "kjit", *words], capture_output=True, text=True)


def test_the_runner(tmp_path):
    run = kjit("-c", "import sys, numba\nfrom numba import cuda\nf = cuda.jit(lambda x: None)\n"
               "f[1, 1](2)\nprint(sys.argv, numba.cuda is cuda)", "a", "b")
    assert (run.returncode, run.stdout) == (0, "['-c', 'a', 'b'] True\n"), run.stderr
    (tmp_path / "script.py").write_text("import sys\nprint(sys.argv[1:], __name__, __file__)\nsys.exit(5)\n")
    run = kjit(str(tmp_path / "script.py"), "-x", "1")
    assert (run.returncode, run.stdout) == (5, f"['-x', '1'] __main__ {tmp_path / 'script.py'}\n")
    assert kjit("-m", "timeit", "-n1", "-r1", "0").returncode == 0
    assert kjit().returncode == 2 and "which script" in kjit().stderr
    assert kjit("nowhere.py").returncode == 3
    run = kjit("-c", "import numba.no_such_module")
    assert run.returncode == 1 and "kjit, which stands in for numba, has no numba.no_such_module" in run.stderr


def test_functions_that_exec_makes():
    run = kjit("-c", "from numba import cuda\nimport numpy as np\nexec('''@cuda.jit\ndef f(x):\n    x[0] = 4\n''')\n"
               "x = np.zeros(1)\nf[1, 1](x)\nprint(x)")
    assert run.stdout == "[4.]\n", run.stderr
