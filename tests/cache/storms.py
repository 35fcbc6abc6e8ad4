"""Many processes at once, some of which are killed."""

import random
import shutil
import time

from box import DONE, Watch, check

PROCESSES = 32
BOUND = 70_000  # four entries of the kernels here
LOOKS = 50


def start_all(box, kernels, environment=None):
    return [(i % kernels, box.start(i % kernels, environment)) for i in range(PROCESSES)]


def judge_all(box, started):
    for number, process in started:
        box.judge(number, process)


def kill_at_random(started, seed, seconds):
    """Kills each at a moment of its own, if it is still there; answers those that were not."""
    chance = random.Random(seed)
    begin = time.monotonic()
    survivors = []
    for at, number, process in sorted(
        ((chance.uniform(0, seconds), number, process) for number, process in started),
        key=lambda plan: plan[0],
    ):
        time.sleep(max(0, begin + at - time.monotonic()))
        if process.poll() is None:
            process.kill()
            process.communicate()
        else:
            survivors.append((number, process))
    return survivors


def thirty_two_that_start_cold(box):
    judge_all(box, start_all(box, 4))
    check(len(box.entries()) == 4, f"{len(box.entries())} entries of 4 kernels")
    check(not box.leftovers(), f"left behind: {box.leftovers()}")
    for number in range(4):
        check(box.right(number) == 0, "the compiler ran again")
    listed = box.command("cache", "ls").stdout.count(b" k(")
    check(listed == 4, f"{listed} of 4 entries are sound")


def killed_at_random_moments(box):
    killed = rounds = 0
    seconds = 1.2
    while rounds < 3 or (killed < PROCESSES and rounds < 20):
        shutil.rmtree(box.cache, ignore_errors=True)
        survivors = kill_at_random(start_all(box, 8), rounds, seconds)
        killed += PROCESSES - len(survivors)
        if len(survivors) > PROCESSES // 2:
            seconds /= 2  # this machine is faster
        judge_all(box, survivors)
        sound = box.command("cache", "ls").stdout.count(b" k(")
        check(sound == len(box.entries()), f"{len(box.entries())} entries, {sound} of them sound")
        for number in range(8):
            box.right(number)
        rounds += 1
    check(killed >= PROCESSES, f"only {killed} were killed")
    box.tidy(100)


def watch_storms(box, storm):
    """Storms until there were enough looks at what the cache holds: never more than the bound."""
    rounds = 0
    with Watch(box.cache) as watch:
        while rounds < 2 or (watch.looks < LOOKS and rounds < 50):
            storm(start_all(box, 16, {"KJIT_CACHE_SIZE": str(BOUND)}), rounds)
            rounds += 1
    check(watch.looks >= LOOKS, f"only {watch.looks} looks")
    check(0 < watch.most <= BOUND, f"{watch.most} bytes, and the bound is {BOUND}")


def never_beyond_the_bound(box):
    watch_storms(box, lambda started, _: judge_all(box, started))


def never_beyond_the_bound_though_killed(box):
    watch_storms(
        box, lambda started, seed: judge_all(box, kill_at_random(started, seed, 1 / (1 + seed)))
    )


def a_bound_that_shrinks(box):
    for number in range(8):
        box.right(number)
    box.right(8, {"KJIT_CACHE_SIZE": str(BOUND)})
    kept = sum(path.stat().st_size for path in box.entries())
    check(kept <= BOUND, f"{kept} bytes were kept")
    box.right(9, {"KJIT_CACHE_SIZE": "1K"})
    kept = sum(path.stat().st_size for path in box.entries())
    check(kept <= BOUND, f"{kept} bytes were kept")


def cleared_while_others_run(box):
    started = start_all(box, 4)
    while any(process.poll() is None for _, process in started):
        done = box.command("cache", "clear")
        check(done.returncode == DONE, f"clear: {done.stderr.decode()}")
    judge_all(box, started)
    box.right()


def removed_while_others_run(box):
    started = start_all(box, 4)
    while any(process.poll() is None for _, process in started):
        shutil.rmtree(box.cache, ignore_errors=True)
        time.sleep(0.05)
    judge_all(box, started)
    box.right()


CASES = [
    thirty_two_that_start_cold,
    killed_at_random_moments,
    never_beyond_the_bound,
    never_beyond_the_bound_though_killed,
    a_bound_that_shrinks,
    cleared_while_others_run,
    removed_while_others_run,
]
