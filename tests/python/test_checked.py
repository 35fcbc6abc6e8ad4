"""The device `check` from Python: findings are told at exit, as the command tells them, and count for the status."""
import os
import re
import subprocess
import sys

import pytest

KERNELS = '''import sys
import numpy as np
from numba import cuda

@cuda.jit
def reaches(x):
    x[cuda.grid(1) + 1] = 1

@cuda.jit
def races(x):
    x[0] = cuda.threadIdx.x

@cuda.jit
def diverges(x):
    if cuda.threadIdx.x < 16:
        cuda.syncthreads()
    else:
        cuda.syncthreads()
    x[cuda.grid(1)] = 1

@cuda.jit
def spins(x):
    while x[0] == 0:
        pass

@cuda.jit
def right(x):
    x[cuda.grid(1)] = 1

'''
CASES = {"reaches": "out-of-bounds", "races": "race", "diverges": "divergent-barrier", "spins": "deadlock"}
PLAIN = KERNELS.replace("from numba", "import kjit\nfrom kjit")


def python(*words, device="check"):
    return subprocess.run([sys.executable, "-B", *words], capture_output=True, text=True,
                          env={**os.environ, "KJIT_DEVICE": device})


def launch(name):
    return f"{name}[1, {1 if name == 'spins' else 32}](np.zeros(32))\n"


@pytest.mark.parametrize("name", CASES)
def test_the_runner_tells_findings_as_the_command(name, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(KERNELS + launch(name))
    run = python("-m", "kjit", str(script))
    told = subprocess.run([f"{os.environ['BUILD']}/kjit", "run", str(script), "--device", "check"],
                          capture_output=True, text=True)
    # The command runs the host's part, too, and knows the line that launches.
    findings = re.sub(r".*: note: launched here\n.*\n.*\n", "", told.stderr)
    assert f": {CASES[name]}: " in run.stderr and f"1 finding in {script}\n" in run.stderr
    assert (run.returncode, run.stderr) == (told.returncode, findings) and run.returncode == 4


def test_what_is_right_has_no_findings():
    run = python("-m", "kjit", "-c", KERNELS + launch("right"))
    assert (run.returncode, run.stderr) == (0, "no findings in -c\n")
    run = python("-m", "kjit", "-c", KERNELS + launch("races"), device="cpu")
    assert (run.returncode, run.stderr) == (0, "")


def test_a_status_of_the_script_stays():
    for end, status in (("sys.exit(5)", 5), ("sys.exit(0)", 4), ("sys.exit()", 4), ("1 / 0", 1)):
        run = python("-m", "kjit", "-c", KERNELS + launch("races") + end)
        assert run.returncode == status and run.stderr.endswith("1 finding in -c\n"), end


def test_plain_python_shows_a_defect_in_the_status(tmp_path):
    script = tmp_path / "script.py"
    for name, end, status in (("races", "", 4), ("races", "sys.exit()", 4), ("races", "sys.exit(5)", 5),
                              ("races", "1 / 0", 1), ("right", "", 0)):
        script.write_text(f"import atexit\natexit.register(print, 'last')\n{PLAIN}{launch(name)}{end}\n")
        run = python(str(script))
        assert (run.returncode, run.stdout) == (status, "last\n"), (name, end)
    own = "f = kjit.compile('@cuda.jit\\ndef f(x):\\n    x[0] = cuda.threadIdx.x\\n', device='check').f\n"
    run = python("-c", f"import kjit, numpy as np\n{own}f[1, 32](np.zeros(1))", device="cpu")
    assert run.returncode == 0 and "1 finding" in run.stderr


def test_threads_and_exit_handlers_that_come_later_count():
    for late in ("import threading\nthreading.Thread(target=lambda: (threading.main_thread().join(), work())).start()",
                 "import atexit\natexit.register(work)"):
        run = python("-m", "kjit", "-c", f"{KERNELS}def work():\n    {launch('races')}{late}\nprint('end')")
        assert (run.returncode, run.stdout) == (4, "end\n") and "1 finding in -c\n" in run.stderr, late


def test_plain_python_tells_findings_at_exit(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PLAIN + launch("races") + "cuda.close()\n" + launch("reaches"))
    run = python(str(script))
    assert run.returncode == 4 and run.stdout == ""
    assert run.stderr.index(": out-of-bounds: ") < run.stderr.index(": race: ")
    assert run.stderr.endswith(f"2 findings in {script}\n")


def test_findings_are_objects():
    run = python("-c", "import kjit, numpy as np\n"
                 "f = kjit.compile('@cuda.jit\\ndef f(x):\\n    x[0] = cuda.threadIdx.x\\n', device='check').f\n"
                 "print(kjit.findings())\nf[1, 32](np.zeros(1))\n[it] = kjit.findings()\n"
                 "print(it.rule, it.advice, it.kernel, it.element, it.at.line, it.at.column, it.at.what, "
                 "it.at.thread, it.other.thread, it.text.startswith('<text>:3:5: race: '))", device="cpu")
    assert run.stdout == "[]\nrace False f x[0] 3 5 writes (1, 0, 0) (0, 0, 0) True\n", run.stderr
