"""Machines on which something is missing, broken or not to be trusted."""

import os
import re
import subprocess

from case import COMMAND, COPY, DONE, FAILED, RUN_COPY, Case


def spoiled(kjit, spoil):
    """Fills a cache and has `spoil` at each of its files."""

    def before(folder):
        cache = folder / "cache"
        command = [kjit, *RUN_COPY, "a=ones(4)"]
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "KJIT_CACHE": str(cache)},
            capture_output=True,
            timeout=600,
            check=False,
        )
        entries = [path for path in cache.rglob("*") if path.is_file()]
        if not entries:
            raise RuntimeError("the first run left nothing in the cache")
        for path in entries:
            spoil(path)

    return before


def flip(path):
    content = bytearray(path.read_bytes())
    for at in range(0, len(content), max(len(content) // 7, 1)):
        content[at] ^= 0x40
    path.write_bytes(content)


def become_folder(path):
    path.unlink()
    path.mkdir()


def linked_cache(folder):
    (folder / "real").mkdir(mode=0o700)
    (folder / "cache").symlink_to(folder / "real")


def open_cache(folder):
    (folder / "cache").mkdir()
    (folder / "cache").chmod(0o777)


def machine_cases(kjit):
    files = {"copy.k": COPY}
    run = [*RUN_COPY, "a=ones(4)"]
    gpu = ["run", "copy.k", "--device", "cuda", "--grid", "1x32", "a=ones(4)", "b=zeros(4)"]
    emit = [
        "build",
        "copy.k",
        "--emit",
        "cubin",
        "--arch",
        "sm_90",
        "--sig",
        "copy(float64[::1], float64[::1])",
        "-o",
        "copy.cubin",
    ]
    own = {"KJIT_CACHE": "cache"}

    def works(name, environment, before=None):
        return Case(
            f"machine works: {name}",
            [*run, "--save", "b=out.npy"],
            DONE,
            files=files,
            environment=environment,
            wrote=[1, 1, 1, 1],
            before=before,
        )

    def fails(name, environment, says="", arguments=run, before=None):
        return Case(
            f"machine: {name}",
            arguments,
            FAILED,
            says,
            files,
            {**own, **environment},
            before=before,
        )

    yield fails(
        "no C compiler where KJIT_CC says", {"KJIT_CC": "/nonexistent/cc"}, "/nonexistent/cc"
    )
    yield fails("no C compiler on PATH", {"KJIT_CC": None, "PATH": ""}, "KJIT_CC")
    yield fails("a folder for a C compiler", {"KJIT_CC": "/"})
    yield fails("a C compiler that always fails", {"KJIT_CC": "/bin/false"}, "/bin/false")
    yield fails("a C compiler that makes nothing", {"KJIT_CC": "/bin/true"}, "KJIT_CC")
    yield fails(
        "no NVRTC where KJIT_NVRTC says", {"KJIT_NVRTC": "/nonexistent/libnvrtc.so"}, "NVRTC", emit
    )
    yield fails("an NVRTC that is no library", {"KJIT_NVRTC": "copy.k"}, "NVRTC", emit)
    if not os.path.exists("/dev/nvidiactl"):
        yield fails("no driver", {}, "driver", gpu)
        yield fails("no such GPU", {}, "", [*gpu[:3], "cuda:7", *gpu[4:]])

    yield works("a cache of empty files", own, spoiled(kjit, lambda path: path.write_bytes(b"")))
    yield works(
        "a cache of cut files",
        own,
        spoiled(kjit, lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])),
    )
    yield works("a cache of flipped bits", own, spoiled(kjit, flip))
    yield works(
        "a cache of longer files",
        own,
        spoiled(kjit, lambda path: path.write_bytes(path.read_bytes() + b"more")),
    )
    yield works(
        "a cache of noise", own, spoiled(kjit, lambda path: path.write_bytes(os.urandom(100_000)))
    )
    yield works("a cache of folders", own, spoiled(kjit, become_folder))
    yield works("a cache that is a file", {"KJIT_CACHE": "copy.k"})
    yield works("a cache on a device", {"KJIT_CACHE": "/dev/null"})
    yield works("a cache where none can be", {"KJIT_CACHE": "/proc/no/such"})
    yield works("a cache that others may write", own, open_cache)
    yield works("a cache behind a link", own, linked_cache)
    yield works("a cache of no size", {**own, "KJIT_CACHE_SIZE": "0"})
    yield works("a cache of one and a half", {**own, "KJIT_CACHE_SIZE": "1.5M"})
    for size in ("-many", "abc", "-1", "1 G", "99999999999G"):
        for arguments in (run, ["cache", "ls"], ["cache", "clear"]):
            yield Case(
                f"machine: a cache of the size {size}: {arguments[0]} {arguments[1]}",
                arguments,
                COMMAND,
                f"KJIT_CACHE_SIZE is '{re.escape(size)}'.*\n.*unset it",
                files,
                {**own, "KJIT_CACHE_SIZE": size},
            )
    yield fails(
        "a C compiler with endless options",
        {"KJIT_CC": "cc" + " -O0" * 100},
        "KJIT_CC has more than 64 words",
    )
    yield works("no home", {"KJIT_CACHE": None, "XDG_CACHE_HOME": None, "HOME": None})
    yield works(
        "a home that is not there",
        {"KJIT_CACHE": None, "XDG_CACHE_HOME": None, "HOME": "/nonexistent"},
    )
    yield Case(
        "machine: no cache and nowhere for temporary files",
        run,
        {DONE, FAILED},
        files=files,
        environment={"KJIT_CACHE": "/proc/no/such", "TMPDIR": "/nonexistent"},
    )
