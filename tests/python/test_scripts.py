"""Scripts of numba's, as they are: they compare their results with NumPy's themselves."""
import pathlib
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).parent / "scripts"
HELPERS = ("shapes.py",)
NAMES = [*(path.name for path in SCRIPTS.glob("*.py")), *(f"host/{path.name}" for path in SCRIPTS.glob("host/*.py"))]


@pytest.mark.parametrize("name", sorted(name for name in NAMES if name not in HELPERS))
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


def test_names_that_programs_import():
    run = kjit("-c", "from numba import *\nfrom numba import cuda, NumbaPerformanceWarning, set_num_threads\n"
               "from numba.cuda.cudadrv.devicearray import is_cuda_ndarray\nimport numpy as np\n"
               "set_num_threads(2)\n@cuda.jit(void(float64[:]))\ndef f(x):\n    x[0] = float32(2.5) + i4(1)\n"
               "@vectorize\ndef g(a):\n    return a + 1\n"
               "x = cuda.to_device(np.zeros(1))\nf[1, 1](x)\nprint(x[0], g(np.ones(1)), is_cuda_ndarray(x), TypingError.__name__)")
    assert run.stdout == "3.5 [2.] True TypingError\n", run.stderr


def test_usage():
    for word in ("--help", "-h"):
        run = kjit(word)
        assert (run.returncode, run.stderr) == (0, "") and "python -m kjit SCRIPT ARGUMENTS" in run.stdout
    run = kjit("--nothing")
    assert run.returncode == 2 and run.stderr.startswith("kjit: there is no option '--nothing'\n")


def test_tracebacks_begin_in_the_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("def f():\n    raise ValueError('x')\n\n\nf()\n")
    begin = f'Traceback (most recent call last):\n  File "{script}", line 5, in <module>\n    f()\n'
    run = kjit(str(script))
    assert run.returncode == 1 and run.stderr.startswith(begin), run.stderr
    run = subprocess.run([sys.executable, "-B", "-m", "kjit", "-m", "script"], capture_output=True, text=True,
                         cwd=tmp_path)
    assert run.returncode == 1 and run.stderr.startswith(begin), run.stderr
    run = kjit("-c", "1 / 0")
    assert run.stderr.startswith('Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n')
    run = kjit("-c", "import sys, traceback\nsys.excepthook = lambda *its: print(len(traceback.extract_tb(its[2])))\n"
               "1 / 0")
    assert (run.returncode, run.stdout, run.stderr) == (1, "1\n", "")
    script.write_text("x = = 1\n")
    assert kjit(str(script)).stderr.startswith(f'  File "{script}", line 1\n')


def test_functions_that_exec_makes():
    run = kjit("-c", "from numba import cuda\nimport numpy as np\nexec('''@cuda.jit\ndef f(x):\n    x[0] = 4\n''')\n"
               "x = np.zeros(1)\nf[1, 1](x)\nprint(x)")
    assert run.stdout == "[4.]\n", run.stderr


def test_functions_that_texts_make(tmp_path):
    (tmp_path / "script.py").write_text("""\
from __future__ import annotations
from numba import cuda
import numpy as np

TEXT = "def f(x):\\n    x[0] = x[0] {}\\n"
kernels = []
for end in "+ 1", "* 3", "- 1":  # of one file's name
    names = {}
    exec(compile(TEXT.format(end), "<string>", "exec"), names)
    kernels.append(cuda.jit(names["f"]))
twice, less = (cuda.jit(eval(f" lambda v: v {end}"), device=True) for end in ("* 2", "- 5"))


def inside():
    y = 5
    exec("y = 6\\ndef g(v): return v + 1")
    assert eval("y") == 5
    names = {}
    exec("def g(v: No.Name): return v + 7", names)  # annotations are texts here
    return names["g"]


plus = cuda.jit(inside(), device=True)


@cuda.jit
def last(x):
    x[0] = twice(less(plus(x[0])))


x = np.array([2.0])
for kernel in (*kernels, last):
    kernel[1, 1](x)
print(x[0], eval("[i for i in range(3)]"), eval("a + b", {"a": 1}, {"b": 2}))
class Space:
    exec("z = 5")
print(Space.z)
""")
    run = kjit(str(tmp_path / "script.py"))
    assert run.stdout == "20.0 [0, 1, 2] 3\n5\n", run.stderr


def test_texts_that_linecache_forgets():
    run = kjit("-c", "import linecache\nimport numpy as np\nfrom numba import cuda\n"
               "for dtype in np.float32, np.float64:\n"
               "    add = cuda.jit(eval('lambda v: v + 4'), device=True)\n"
               "    @cuda.jit\n    def f(x):\n        x[0] = add(x[0])\n"
               "    x = np.zeros(1, dtype)\n    f[1, 1](x)\n    print(x)\n"
               "    del linecache.cache[add.py_func.__code__.co_filename]\n")
    assert run.stdout == "[4.]\n[4.]\n", run.stderr


def test_kernels_of_a_command():
    """The text of python -c is where Python has it; what exec() is given there has another of the same name."""
    text = ("from kjit import cuda\nimport numpy as np\n@cuda.jit\ndef k(x):\n    x[0] = 17\na = np.zeros(1)\nk[1, 1](a)\n"
            "print(a)\nnames = {'cuda': cuda}\nexec('@cuda.jit\\ndef k(x):\\n    x[0] = 1\\n', names)\n"
            "try:\n    names['k'][1, 1](a)\nexcept TypeError as error:\n    print('is not what it was made of' in str(error))\n")
    for option in "-c", "-Bc":
        run = subprocess.run([sys.executable, option, text], capture_output=True, text=True)
        assert (run.stdout, run.stderr) == ("[17.]\nTrue\n", "")
    run = subprocess.run([sys.executable], input=text, capture_output=True, text=True)
    assert "of what it reads from its standard input: put it into a file" in run.stderr
