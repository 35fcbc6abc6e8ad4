"""Kernels in NVRTC's hands, for several generations of GPUs: what tests that `--build` kernels share."""
import re
import subprocess
import tempfile

# Where a text has none of these, what an older generation takes a newer one takes, too.
ASKS = re.compile(r"__CUDA_ARCH|#include")


def made(command, *more, seconds=600):
    return subprocess.run([*command, *more], capture_output=True, text=True, errors="replace",
                          timeout=seconds)


def build(command, generations):
    """What is wrong with a kernel, or nothing: `command` is `kjit build` with all that names it. It
    is compiled for the first generation, the oldest, and for each whose text differs or asks for it."""
    met = set()
    for generation in generations:
        arch = ["--arch", generation]
        text = made(command, "--emit", "cuda", *arch).stdout
        if text and text in met and not ASKS.search(text):
            continue
        met.add(text)
        with tempfile.TemporaryDirectory() as folder:
            done = made(command, "--emit", "cubin", *arch, "-o", f"{folder}/a.cubin")
        if done.returncode:
            return f"for {generation}: {done.stderr.strip()[:600]}"
    return ""
