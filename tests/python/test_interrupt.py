"""Ctrl-C while a kernel runs on the processor: KeyboardInterrupt, without the blocks that have not begun."""
import os
import signal
import subprocess
import sys

import numpy as np

# x[0]: a block has begun; x[1]: blocks may go on; x[2]: how many are through.
SCRIPT = '''import numpy as np
from kjit import cuda

@cuda.jit
def waits(x):
    cuda.atomic.exch(x, 0, 1)
    for k in range(1 << 60):
        if cuda.ldcv(x, 1):
            break
    cuda.atomic.add(x, 2, 1)

x = np.memmap("shared", np.int64, "r+")
try:
    waits[1 << 16, 1](x)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    waits[3, 1](x)
    print("and launched again", flush=True)
'''


def interrupted(tmp_path, goes_on):
    """The script's process, and its memory, once it has been interrupted in the launch."""
    np.zeros(8, np.int64).tofile(tmp_path / "shared")
    shared = np.memmap(tmp_path / "shared", np.int64, "r+")
    (tmp_path / "script.py").write_text(SCRIPT)
    process = subprocess.Popen([sys.executable, "-B", "script.py"], cwd=tmp_path, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "KJIT_DEVICE": "cpu"},
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    while not shared[0] and process.poll() is None:
        pass
    process.send_signal(signal.SIGINT)
    assert "Ctrl-C again ends Python" in process.stderr.readline()
    shared[1] = goes_on
    return process, shared


def test_blocks_that_have_not_begun_are_left_out(tmp_path):
    process, shared = interrupted(tmp_path, 1)
    out, err = process.communicate()
    assert (out, err, process.returncode) == ("interrupted\nand launched again\n", "", 0)
    assert 3 < shared[2] < 1 << 16


def test_a_second_interrupt_ends_what_never_ends(tmp_path):
    process, shared = interrupted(tmp_path, 0)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "")
    assert process.returncode == -signal.SIGINT and shared[2] == 0
