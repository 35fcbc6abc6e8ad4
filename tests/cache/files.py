"""Files in the cache that are not as they should be."""

import os
import random
import time

from box import DONE, NOBODY, check, hold_lock, need_other_user

YEARS = 10 * 365 * 86400


def spoil(box, damages, leaves=1):
    """Does each damage to an entry; the kernel is compiled again, and the entry is whole."""
    path = box.entry(0)
    whole = path.read_bytes()
    for name, damage in damages:
        damage(path, whole)
        check(box.right() == 1, f"{name}: the entry was used")
        check(box.right() == 1 - leaves, f"{name}: the entry was not made again")
        check(not box.leftovers(), f"{name}: left behind: {box.leftovers()}")
        check(not leaves or path.stat().st_size == len(whole), f"{name}: another size")


def entries_cut_short(box):
    def cut(length):
        return lambda path, whole: path.write_bytes(whole[:length])

    length = box.entry(1).stat().st_size
    spoil(box, [(f"{n} bytes", cut(n)) for n in (0, 1, 39, 40, 41, 4096, length // 2, length - 1)])


def entries_that_grew(box):
    def grow(more):
        return lambda path, whole: path.write_bytes(whole + more)

    spoil(box, [("a byte more", grow(b"\0")), ("a page more", grow(b"\0" * 4096))])


def flipped_bits(box):
    chance = random.Random(1)

    def flip(at, bit):
        def damage(path, whole):
            changed = bytearray(whole)
            changed[at % len(whole)] ^= 1 << bit
            path.write_bytes(changed)

        return damage

    places = [*range(-40, 0, 3), *(chance.randrange(16000) for _ in range(12)), 0]
    spoil(box, [(f"byte {at}", flip(at, chance.randrange(8))) for at in places])


def entries_that_changed_places(box):
    one, other = box.entry(0), box.entry(1)
    spare = one.with_name("spare")
    one.rename(spare)
    other.rename(one)
    spare.rename(other)
    check(box.right(0) == 1 and box.right(1) == 1, "an entry of another kernel was used")


def what_is_no_file(box):
    path = box.entry(0)

    def fifo():
        os.mkfifo(path)

    def link():
        path.symlink_to("/etc/passwd")

    def loop():
        path.symlink_to(path)

    def vast():
        with open(path, "wb") as file:
            file.truncate(1 << 33)

    for become in (fifo, link, loop, vast):
        path.unlink()
        become()
        check(box.right() == 1, f"{become.__name__}: it was used")
        check(box.right() == 0, f"{become.__name__}: the entry was not made again")
        check(path.is_file() and not path.is_symlink(), f"{become.__name__}: it is still there")
    path.unlink()
    path.mkdir()
    check(box.right() == 1, "a folder was used")


def was_killed(box):
    """The lock file as a writer leaves it that is killed."""
    (box.cache / "lock").write_bytes(b"")


def files_of_other_users(box):
    need_other_user(box)
    path = box.entry(0)
    os.chown(path, NOBODY, NOBODY)
    check(box.right() == 1, "another user's entry was used")
    check(path.stat().st_uid == 0, "the entry still belongs to another user")
    os.chown(box.cache / "lock", NOBODY, NOBODY)
    left = box.cache / "tmp-1-2-3"
    left.write_bytes(b"x")
    os.chown(left, NOBODY, NOBODY)
    was_killed(box)
    box.right(1)
    check(len(box.entries()) == 2, "nothing was written")
    check(not left.exists(), "another user's temporary file stayed")


def a_folder_of_another_user(box):
    need_other_user(box)
    box.right()
    os.chown(box.cache, NOBODY, NOBODY)
    before = box.entries()
    check(box.right() == 1, "another user's folder was used")
    box.right(1)
    check(box.entries() == before, "it was written to")


def locks_that_are_none(box):
    box.right()
    lock = box.cache / "lock"
    precious = box.top / "precious"
    precious.write_bytes(b"precious")

    def fifo():
        os.mkfifo(lock)

    def folder():
        lock.mkdir()

    def link():
        lock.symlink_to(precious)

    for number, become in enumerate((fifo, link, folder)):
        lock.unlink()
        become()
        box.right(10 + number)
        check(box.right(10 + number) == 0, f"{become.__name__}: nothing was written")
    check(precious.read_bytes() == b"precious", "what the link led to was changed")


def a_lock_that_is_held(box):
    box.right()
    with hold_lock(box.cache):
        check(box.right() == 0, "an entry was not read")
        box.right(1)
        check(len(box.entries()) == 1, "it wrote without the lock")
        done = box.command("cache", "clear")
        check(done.returncode == DONE and not box.entries(), "it was not cleared")
    box.right(1)
    check(box.right(1) == 0, "nothing was written")


# ---- clocks --------------------------------------------------------------------------------


def set_time(path, seconds):
    at = time.time() + seconds
    os.utime(path, (at, at))


def entries_of_the_future(box):
    """They count as old, and go before those that were used yesterday."""
    paths = [box.entry(number) for number in range(3)]
    set_time(paths[0], -86400)
    set_time(paths[1], YEARS)
    set_time(paths[2], -86400)
    bound = sum(path.stat().st_size for path in paths) + 1000
    box.right(3, {"KJIT_CACHE_SIZE": str(bound)})
    check(not paths[1].exists(), "an entry of the future is immortal")
    check(paths[0].exists() or paths[2].exists(), "all entries went")


def entries_of_the_past(box):
    path = box.entry(0)
    for seconds in (-YEARS, -time.time(), -time.time() - YEARS, 2 * YEARS):
        set_time(path, seconds)
        check(box.right() == 0, f"{seconds} s: the entry was not used")
        check(abs(path.stat().st_mtime - time.time()) < 60, f"{seconds} s: its use is not noted")


def temporary_files_of_any_time(box):
    box.right()
    for name, seconds in (("now", 0), ("future", YEARS), ("past", -YEARS)):
        path = box.cache / f"tmp-{name}"
        path.write_bytes(b"x" * 10000)
        set_time(path, seconds)
        folder = box.temporary / f"kjit-{os.geteuid()}" / f"tmp-{name}"
        folder.mkdir()
        (folder / "kernel.so").write_bytes(b"x")
        set_time(folder, seconds)
    was_killed(box)
    box.right(1)
    check(not box.leftovers(), f"left behind: {box.leftovers()}")


CASES = [
    entries_cut_short,
    entries_that_grew,
    flipped_bits,
    entries_that_changed_places,
    what_is_no_file,
    files_of_other_users,
    a_folder_of_another_user,
    locks_that_are_none,
    a_lock_that_is_held,
    entries_of_the_future,
    entries_of_the_past,
    temporary_files_of_any_time,
]
