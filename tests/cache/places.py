"""Disks that are full, and places where no cache can be."""

import os
import resource

from box import COMMAND, DONE, FAILED, NOBODY, Mounted, check, fill, need_other_user
from storms import judge_all, start_all


# ---- full ----------------------------------------------------------------------------------


def a_disk_that_is_full(box):
    with Mounted(box.cache, "size=64k"):
        fill(box.cache)
        check(box.right() == 1 and box.right() == 1, "the compiler did not run")
        check(not box.entries(), "an entry on a full disk")
        (box.cache / "full").unlink()
        box.right()
        check(box.right() == 0, "nothing was written once there was room")


def a_disk_that_fills_up_half_way(box):
    with Mounted(box.cache, "size=28k"):  # an entry, and most of a second one
        box.right(0)
        check(box.right(1) == 1 and box.right(1) == 1, "the compiler did not run")
        check(len(box.entries()) == 1, "a second entry")
        check(not box.leftovers(), f"left behind: {box.leftovers()}")
        check(box.right(0) == 0, "the first entry went")


def thirty_two_on_a_disk_that_is_too_small(box):
    with Mounted(box.cache, "size=40k"):
        judge_all(box, start_all(box, 8))
        check(not box.leftovers(), f"left behind: {box.leftovers()}")


def a_full_disk_for_temporary_files(box):
    with Mounted(box.temporary, "size=64k"):
        box.right(1)
        fill(box.temporary)
        box.right(0, status={DONE, FAILED})
        (box.temporary / "full").unlink()
        box.right(0)


def limited(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def files_that_may_not_grow(box):
    """The signal that comes of it ends the compiler perhaps, and kjit never."""
    for number, size in enumerate((0, 100, 4096, 15000)):
        box.right(number, status={DONE, FAILED}, preexec_fn=limited(size))
        check(not box.leftovers(), f"{size} bytes: left behind: {box.leftovers()}")
    box.right()
    for size in (0, 100):
        check(box.right(preexec_fn=limited(size)) == 0, f"{size} bytes: the entry was not used")


# ---- not to be written ------------------------------------------------------------------------


def no_cache_at(box, **environment):
    """Works, and compiles each time."""
    for _ in range(2):
        check(box.right(environment=environment) == 1, f"{environment}: what is there was used")


def a_disk_that_cannot_be_written(box):
    with Mounted(box.cache, "size=1m") as disk:
        box.right(0)
        disk.again("ro")
        check(box.right(0) == 0, "the entry was not read")
        check(box.right(1) == 1 and box.right(1) == 1, "the compiler did not run")
        done = box.command("cache", "ls")
        check(done.returncode == DONE and b" k(" in done.stdout, "the entry is not listed")
        done = box.command("cache", "clear")
        check(done.returncode == FAILED, "clearing says nothing")


def a_home_that_may_not_be_written(box):
    need_other_user(box)
    home = box.top / "home"
    home.mkdir(mode=0o555)
    environment = {"KJIT_CACHE": None, "XDG_CACHE_HOME": None, "HOME": home}
    for _ in range(2):
        check(box.right(0, environment, user=NOBODY) == 1, "the compiler did not run")
    check(not list(home.iterdir()), "something was written")
    home.chmod(0o777)
    box.right(0, environment, user=NOBODY)
    check(box.right(0, environment, user=NOBODY) == 0, "nothing was written though it may be")


def a_home_that_is_missing(box):
    home = box.top / "missing"
    no_cache_at(box, KJIT_CACHE=None, XDG_CACHE_HOME=None, HOME=home)
    check(not home.exists(), "the home was made")
    no_cache_at(box, KJIT_CACHE=None, XDG_CACHE_HOME=None, HOME=None)
    no_cache_at(box, KJIT_CACHE=None, XDG_CACHE_HOME=None, HOME=box.kernel(0))


def a_cache_that_is_no_folder(box):
    fifo, link = box.top / "fifo", box.top / "link"
    os.mkfifo(fifo)
    (box.top / "real").mkdir(mode=0o700)
    link.symlink_to(box.top / "real")
    for place in (fifo, link, box.kernel(0), box.kernel(0) / "below", "/dev/null", "/proc/none"):
        no_cache_at(box, KJIT_CACHE=place)
    check(not list((box.top / "real").iterdir()), "what the link leads to was written")


def paths_that_are_long(box):
    no_cache_at(box, KJIT_CACHE="/" + "long/" * 1000)
    no_cache_at(box, KJIT_CACHE=box.top / ("x" * 300))
    deep = box.top / "/".join(["y" * 200] * 12)
    box.right(environment={"KJIT_CACHE": deep})
    check(box.right(environment={"KJIT_CACHE": deep}) == 0, "a long path that is allowed")


def folders_whose_code_may_not_run(box):
    with Mounted(box.cache, "size=1m,noexec"):
        check(box.right() == 1 and box.right() == 1, "the compiler did not run")
    with Mounted(box.temporary, "size=1m,noexec"):
        box.right()
        check(box.right() == 0, "nothing was written")
        box.right(1, {"KJIT_CACHE_SIZE": "1000"})


def nowhere_for_temporary_files(box):
    nowhere = {"TMPDIR": "/proc/none"}
    box.right(0, nowhere)
    check(box.right(0, nowhere) == 0, "nothing was written")
    check(not box.leftovers(), f"left behind: {box.leftovers()}")
    box.right(1, {**nowhere, "KJIT_CACHE": "/proc/none"}, status={FAILED})


# ---- sizes ---------------------------------------------------------------------------------


def sizes_that_are_none(box):
    for size in ("abc", "-1", "1 G", "0x10", "99999999999G", "1.5.5M", "1e9"):
        environment = {"KJIT_CACHE_SIZE": size}
        box.right(environment=environment, status={COMMAND})
        for words in (("cache", "ls"), ("cache", "stats"), ("cache", "clear")):
            done = box.command(*words, environment=environment)
            check(done.returncode == COMMAND, f"{size}: {words}: exit status {done.returncode}")
            said = done.stderr.decode()
            check(f"KJIT_CACHE_SIZE is '{size}'" in said, f"{size}: {words}: {said}")
        done = box.command("doctor", environment=environment)
        check(b"which is no size" in done.stdout, f"{size}: the doctor: {done.stdout}")
    for size in ("", "1.5M", "2g", "8000000T"):
        check(box.right(environment={"KJIT_CACHE_SIZE": size}) <= 1, size)
    no_cache_at(box, KJIT_CACHE_SIZE="0")
    no_cache_at(box, KJIT_CACHE_SIZE="0.0001K")


CASES = [
    a_disk_that_is_full,
    a_disk_that_fills_up_half_way,
    thirty_two_on_a_disk_that_is_too_small,
    a_full_disk_for_temporary_files,
    files_that_may_not_grow,
    a_disk_that_cannot_be_written,
    a_home_that_may_not_be_written,
    a_home_that_is_missing,
    a_cache_that_is_no_folder,
    paths_that_are_long,
    folders_whose_code_may_not_run,
    nowhere_for_temporary_files,
    sizes_that_are_none,
]
