"""bench(): how long a kernel takes, how much it does in that time, and what the device could do."""
import html
import os
import tempfile
import threading
from collections import namedtuple

from kjit import _core, device
from kjit.errors import ArgumentError
from kjit.measured.command import asked, words_of
from kjit.measured.drawn import roofline, rows_table, short

_lock = threading.Lock()

# Milliseconds: of launches that find caches empty (cold) or warm; `interval` holds the median with 95 % confidence,
# `roof` is the part of what the device could do, and `disturbed` what other programs did, or None.
Times = namedtuple("Times", "median interval least samples roof gflops gbs disturbed")
# Floating-point operations, bytes that are loaded, stored and touched by atomics, and those that have to be moved at least.
Work = namedtuple("Work", "ops load_bytes store_bytes atomic_bytes least_bytes")


def times_of(found):
    if not found:
        return None
    return Times(found["median_ms"], tuple(found["interval_ms"]), found["least_ms"], found["samples_ms"], found.get("roof"),
                 found.get("gflops"), found.get("gbs"), found.get("disturbed"))


def work_of(found):
    if not found:
        return None
    ops = sum(found[f"float{bits}_ops"] for bits in (16, 32, 64))
    return Work(ops, found["load_bytes"], found["store_bytes"], found["atomic_bytes"], found["least_bytes"])


class KernelTimes:
    """Of one kernel: `warm` and `cold`, each Times; `work`, a Work or None."""

    def __init__(self, found):
        self.kernel, self.file = found["kernel"], found["file"]
        self.grid, self.block = tuple(found["grid"]), tuple(found["block"])
        self.warm, self.cold, self.work = times_of(found["warm"]), times_of(found["cold"]), work_of(found["work"])
        self.roof_of = found.get("roof_of")

    @property
    def intensity(self):
        """Floating-point operations for each byte that has to be moved; None if they were not counted."""
        return self.work.ops / self.work.least_bytes if self.work and self.work.least_bytes else None

    def __repr__(self):
        low, high = self.warm.interval
        return f"<{self.kernel}: {self.warm.median:.4g} ms [{low:.4g}, {high:.4g}]>"


class Bench(list):
    """KernelTimes, a row each; `peaks` is what the device does at best. A notebook draws a roofline."""

    def __init__(self, found):
        super().__init__(map(KernelTimes, found["kernels"]))
        self.device, self.peaks, self.json = found["device"]["model"], found["peaks"], found

    def _repr_html_(self):
        head = ("kernel", "warm ms", "cold ms", "GFLOP/s", "GB/s", "of the roof")
        rows = [(it.kernel, short(it.warm.median), short(it.cold and it.cold.median), short(it.warm.gflops),
                 short(it.warm.gbs), "" if it.warm.roof is None else f"{100 * it.warm.roof:.0f} %") for it in self]
        disturbed = [f"{it.kernel}: {it.warm.disturbed}" for it in self if it.warm.disturbed]
        peaks = self.peaks or {}
        picture = roofline([(it.kernel, it.intensity, it.warm.gflops) for it in self], peaks.get("copy_gbs"),
                           peaks.get("float32_gflops"))
        notes = "".join(f"<p>disturbed: {html.escape(note)}</p>" for note in disturbed)
        return f"<p><b>{html.escape(self.device)}</b></p>{rows_table(head, rows)}{notes}{picture}"


def capture(launch, args, folder):
    """Has a launch written down in a folder, by a context of its own."""
    with _lock:
        name, before = device.current().device, os.environ.get("KJIT_CAPTURE")
        os.environ["KJIT_CAPTURE"] = folder
        try:
            context = _core.Context(name)
        finally:
            os.environ.pop("KJIT_CAPTURE")
            if before is not None:
                os.environ["KJIT_CAPTURE"] = before
        with device.instead(context):
            launch(*args)
            context.synchronize()
    found = [entry.path for entry in os.scandir(folder) if entry.is_dir()]
    if len(found) != 1:
        raise ArgumentError("the launch was not written down: of a kernel of kjit.load() say bench(\"FILE.k:KERNEL\", ...)")
    return found[0]


def bench(target, *args, seconds=1.0, samples=None, **values):
    """Times a launch, `bench(kernel[64, 64], x, y)`, or kernels of a file, `bench("hist.k:histogram", grid="64x64",
    x="zeros(100)")`, as `kjit bench` does: a Bench."""
    words = ["--seconds", f"{seconds:g}", *(["--samples", str(samples)] if samples else [])]
    if isinstance(target, (str, os.PathLike)):
        grid = ["--grid", str(values.pop("grid"))] if "grid" in values else []
        return Bench(asked("bench", os.fspath(target), *words, *grid, *words_of(values)))
    if values:
        raise ArgumentError(f"bench() of a launch has no {next(iter(values))!r}")
    with tempfile.TemporaryDirectory() as folder:
        return Bench(asked("bench", capture(target, args, folder), *words))
