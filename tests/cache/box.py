"""A folder with a cache of its own, and processes that use it."""

import fcntl
import json
import os
import pathlib
import subprocess
import threading
import time

SECONDS = 600  # in which anything has an answer
DONE, PROGRAM, COMMAND, FAILED = range(4)
NOBODY = 65534

KERNEL = """@cuda.jit(opt=False)
def k(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = i * {factor} + {term}
"""
ELEMENTS = 6

# A C compiler that keeps count of how often it is called.
COUNTING = """#!/bin/sh
echo >>"$KJIT_COUNT"
exec cc "$@"
"""


class Failure(Exception):
    """What came out is not what should."""


class Skip(Exception):
    """The means to try it are not there."""


def check(truth, complaint):
    if not truth:
        raise Failure(complaint)


class Box:
    """Kernels, cache, TMPDIR and compiler below one folder."""

    def __init__(self, kjit, top):
        self.kjit = kjit
        self.top = pathlib.Path(top)
        self.cache = self.top / "cache"
        self.temporary = self.top / "temporary"
        self.temporary.mkdir()
        self.temporary.chmod(0o777)
        self.count = self.top / "count"
        self.count.write_bytes(b"")
        self.count.chmod(0o666)
        self.compiler = self.top / "counting-cc"
        self.compiler.write_text(COUNTING)
        self.compiler.chmod(0o755)
        self.top.chmod(0o755)
        self.started = []

    def close(self):
        """Ends what a case that failed has left running."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.communicate()

    def environment(self, changes):
        result = {**os.environ, "LC_ALL": "C"}
        result.update(
            KJIT_CACHE=str(self.cache),
            KJIT_CC=str(self.compiler),
            KJIT_COUNT=str(self.count),
            TMPDIR=str(self.temporary),
        )
        result.pop("KJIT_CACHE_SIZE", None)
        for name, value in changes.items():
            if value is None:
                result.pop(name, None)
            else:
                result[name] = str(value)
        return result

    def kernel(self, number):
        """A file whose kernel has the name that all have, and a body that none other has."""
        path = self.top / f"k{number}.k"
        if not path.exists():
            path.write_text(KERNEL.format(factor=number + 3, term=7 * number + 1))
        return path

    @staticmethod
    def wanted(number):
        return [float(i * (number + 3) + 7 * number + 1) for i in range(ELEMENTS)]

    def start(self, number, environment=None, **how):
        command = [self.kjit, "run", str(self.kernel(number)), "--device", "cpu", "--json"]
        command += ["--grid", f"1x{ELEMENTS}", f"a=zeros({ELEMENTS})"]
        process = subprocess.Popen(
            command,
            env=self.environment(environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=how.pop("cwd", self.top),
            **how,
        )
        self.started.append(process)
        return process

    def judge(self, number, process, status=DONE):
        """Waits for the process; what it says is right, or it says why there is nothing."""
        try:
            out, errors = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure(f"k{number}: no answer in {SECONDS} s") from None
        said = errors.decode("utf-8", "replace").strip()[:300]
        got = process.returncode
        wanted = {status} if isinstance(status, int) else status
        check(got in wanted, f"k{number}: exit status {got}, not {wanted}: {said}")
        if got == DONE:
            values = json.loads(out)["written"][0]["first"]
            check(values == self.wanted(number), f"k{number}: a wrong result, {values}")
        else:
            check(said.count("kjit: ") == 1, f"k{number}: not one message: {said!r}")
        return said

    def right(self, number=0, environment=None, status=DONE, **how):
        """Runs a kernel, which must give what is right; answers how often the compiler ran."""
        before = self.compilations()
        self.judge(number, self.start(number, environment, **how), status)
        return self.compilations() - before

    def compilations(self):
        return self.count.stat().st_size

    def command(self, *words, environment=None):
        return subprocess.run(
            [self.kjit, *words],
            env=self.environment(environment or {}),
            cwd=self.top,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )

    def entries(self):
        return sorted(self.cache.glob("*.bin")) if self.cache.is_dir() else []

    def entry(self, number):
        """The file that holds a kernel, which is compiled for it."""
        before = set(self.entries())
        self.right(number)
        new = set(self.entries()) - before
        check(len(new) == 1, f"k{number} left {len(new)} new entries")
        return new.pop()

    def leftovers(self):
        """What is neither an entry nor the lock; and the folders where compilers worked."""
        found = [p.name for p in self.cache.iterdir() if p.suffix != ".bin" and p.name != "lock"]
        return found + [str(p) for p in self.temporary.glob("kjit-*/*")]

    def tidy(self, number):
        """Nothing of killed processes is left once others have compiled; compilers that lost their
        kjit may still be at work for a while. `number` begins kernels that are new."""
        for attempt in range(100):
            self.right(number + attempt)
            left = self.leftovers()
            if not left:
                return
            time.sleep(0.05)
        raise Failure(f"left behind: {left}")


# ---- watching ----------------------------------------------------------------------------


def listing(folder):
    """What files there are, by name, with what tells one from another."""
    found = {}
    for entry in os.scandir(folder):
        try:
            info = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        found[entry.name] = (info.st_ino, info.st_size)
    return found


class Watch(threading.Thread):
    """Looks how much a folder holds, for as long as the block under `with` takes. A look counts if
    a second one finds the same, so that all of it was there at one moment."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder
        self.most = self.looks = 0
        self.over = threading.Event()

    def run(self):
        while not self.over.is_set():
            try:
                first, second = listing(self.folder), listing(self.folder)
            except FileNotFoundError:
                continue
            if first == second:
                self.looks += 1
                self.most = max(self.most, sum(size for _, size in first.values()))
            time.sleep(0.0005)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


def hold_lock(cache):
    """The cache's lock, held until it is closed."""
    lock = open(cache / "lock", "r+b")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


# ---- means -------------------------------------------------------------------------------


def need_other_user(box):
    """Files can be given to another user, who can run kjit."""
    try:
        os.chown(box.count, NOBODY, NOBODY)
        subprocess.run([box.kjit, "--version"], user=NOBODY, capture_output=True, check=True)
    except (OSError, ValueError, subprocess.SubprocessError) as wrong:
        raise Skip(f"nothing can be done as another user: {wrong}") from None


class Mounted:
    """A file system of a size of its own, while the block under `with` runs."""

    def __init__(self, folder, options):
        self.folder = folder
        self.options = options

    def mount(self, *words):
        done = subprocess.run(["mount", *words], capture_output=True, check=False)
        if done.returncode:
            said = done.stderr.decode().strip().partition("\n")[0]
            raise Skip(f"file systems cannot be mounted: {said}")

    def __enter__(self):
        self.folder.mkdir(exist_ok=True)
        self.mount("-t", "tmpfs", "-o", self.options, "kjit-test", str(self.folder))
        self.folder.chmod(0o700)
        return self

    def again(self, options):
        self.mount("-o", f"remount,bind,{options}", str(self.folder))

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", str(self.folder)], capture_output=True, check=False)


def fill(folder):
    """Writes until there is no room."""
    with open(folder / "full", "wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                pass
