"""The process that runs random kernels: `worker.py LIBRARY`, asked by compare.py.

It opens a device once, when the first way needs it, and runs kernel after kernel there. It reads a
line of JSON for each, {"generator": name, "seed": N, "ways": [names], "nvrtc": whether it must be
accepted}, and writes lines: {"begin": way}, so that whoever listens knows what ended it;
{"wrong": text} for each complaint; {"done": seed}. A launch that fails on a GPU may have broken it
for this process, which then says {"broken": ...} and ends.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import random
import re
import sys
import tempfile

import numpy as np

import schedules
from ways import WAYS, Way, program_of, way_of

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench/kernels"))

import libkjit  # noqa: E402

ARCHITECTURES = ("sm_75", "sm_90")
UNSPLIT = ("cannot be split over",)  # kernels for which that is refused
NO_ROOM = re.compile("too much shared|too many resources|out of resources")     # for a schedule on a GPU
VALUES = {"zero-division", "invalid-shift", "cast-overflow", "index-overflow", "note"}  # kjit says what comes of these


class Launch:
    """A kernel with the arguments and the configuration of its @example, on memory of its own."""

    def __init__(self, kjit, text, way, schedule=None):
        self.kjit, self.module, self.values = kjit, ctypes.c_void_p(), ctypes.c_void_p()
        library = kjit.library
        options = libkjit.LoadOptions(ctypes.sizeof(libkjit.LoadOptions))
        options.passes = way.passes and way.passes.encode()
        options.compiler_options = way.options and way.options.encode()
        options.schedule = None if schedule is None else schedule.encode()
        kjit("kjit_load_source", kjit.context, text.encode(), b"k.k", ctypes.byref(options),
             ctypes.byref(self.module))
        self.kernel = ctypes.c_void_p()
        kjit("kjit_get_kernel", self.module, b"k", ctypes.byref(self.kernel))
        kjit("kjit_values_new", ctypes.byref(self.values))
        library.kjit_values_constants(self.values, self.module)
        kjit("kjit_values_example", self.values, self.kernel)
        self.config = libkjit.LaunchConfig(ctypes.sizeof(libkjit.LaunchConfig))
        kjit("kjit_example_config", self.kernel, ctypes.byref(self.config))
        self.count = library.kjit_param_count(self.kernel)
        names = [library.kjit_param_name(self.kernel, i) for i in range(self.count)]
        self.args = (libkjit.Arg * self.count)(*(self.value(name) for name in names))

    def value(self, name):
        return self.kjit.library.kjit_values_get(self.values, name).contents

    def take(self, made):
        """The values and the configuration of another program with the same kernel."""
        self.kjit.library.kjit_values_close(self.values)
        self.values = ctypes.c_void_p()
        self.kjit("kjit_values_new", ctypes.byref(self.values))
        for name, text in made.values:
            self.kjit("kjit_values_set", self.values, name.encode(), text.encode(), None)
        sides = ctypes.c_uint32 * 3
        self.config.grid, self.config.block = (sides(*shape, *[1] * (3 - len(shape))) for shape in (made.grid, made.block))
        self.args = (libkjit.Arg * self.count)(*(self.value(name.encode()) for name, _ in made.values))

    def emitted(self, stage, facts, arch=None):
        """What kjit_emit() gives, as bytes."""
        return self.kjit.emitted(self.kernel, stage, self.args, self.config, facts, arch)

    def specialise(self):
        """Puts the text that is made for this launch alone in the place of the general one."""
        self.kjit("kjit_replace_text", self.kernel, self.args, ctypes.c_size_t(self.count), b"c",
                  self.emitted(b"c", b"hot"), b"k.c")

    def run(self, ranks=0):
        count = ctypes.c_size_t(self.count)
        if not ranks:
            self.kjit("kjit_launch", self.kernel, ctypes.byref(self.config), self.args, count)
            return
        group = ctypes.c_void_p()
        self.kjit("kjit_open_group", ranks, ctypes.byref(group))
        try:
            self.kjit("kjit_group_launch", group, self.kernel, ctypes.byref(self.config), self.args, count, None,
                      ctypes.c_size_t(0))
        finally:
            self.kjit.library.kjit_close_group(group)

    def left(self, name, folder):
        """What an array holds."""
        path = folder / "array.npy"
        self.kjit("kjit_save_npy", str(path).encode(), ctypes.byref(self.value(name.encode()).array))
        return np.load(path)

    def close(self):
        self.kjit.library.kjit_values_close(self.values)
        self.kjit.library.kjit_close_module(self.module)


class Worker:
    def __init__(self, library, folder):
        self.library, self.folder, self.devices = library, folder, {}

    def device(self, way):
        """The device of a way, open; those with other environments are others."""
        os.environ.pop("KJIT_CC", None)
        os.environ.update(way.environment)
        key = way.device, tuple(way.environment.items())
        if key not in self.devices:
            kjit = self.devices[key] = libkjit.Kjit(self.library, way.device)
            kjit.library.kjit_values_get.restype = ctypes.POINTER(libkjit.Arg)
            for name in ("kjit_param_count", "kjit_check_count"):
                getattr(kjit.library, name).restype = ctypes.c_size_t
            for name in ("kjit_param_name", "kjit_device_model", "kjit_device_compiler"):
                getattr(kjit.library, name).restype = ctypes.c_char_p
            say(opened=f"{kjit.library.kjit_device_model(kjit.context).decode()}: "
                       f"{(kjit.library.kjit_device_compiler(kjit.context) or b'').decode()}")
        return self.devices[key]

    @contextlib.contextmanager
    def launch(self, made, way, schedule=None):
        launch = Launch(self.device(way), made.text, way, schedule)
        try:
            yield launch
        finally:
            launch.close()

    def results(self, made, way, schedule=None, ranks=0):
        """The arrays that the kernel leaves."""
        with self.launch(made, way, schedule) as launch:
            if way.constants:
                launch.specialise()
            launch.run(ranks)
            found = [text for rule, text in launch.kjit.findings() if rule not in VALUES]
            if found:
                raise RuntimeError(found[0])
            return {output: launch.left(output, self.folder) for output in made.outputs}

    def chosen(self, made, way, arch):
        with self.launch(made, way) as launch:
            return launch.emitted(b"schedule", b"launch", arch).decode()

    def again(self, made, way):
        """That what is chosen leads to the same text if it is given back."""
        for stage, arch in ((b"c", None), (b"cuda", b"sm_90")):
            schedule = self.chosen(made, way, arch or b"cpu")
            with self.launch(made, way) as launch:
                want = launch.emitted(stage, b"launch", arch)
            with self.launch(made, way, schedule) as launch:
                if launch.emitted(stage, b"launch", arch) != want:
                    raise RuntimeError(f"{stage.decode()} is another text by the schedule that led to it: {schedule}")

    def by_other(self, made, way, seed):
        """The results by a random schedule, as far as it is legal."""
        draw = random.Random(seed)
        arch = b"sm_90" if way.device == "cuda" else b"cpu"
        lines = schedules.other(made.text, self.chosen(made, way, arch), draw).splitlines()
        while True:
            try:
                return self.results(made, way, "\n".join(lines))
            except RuntimeError as error:
                wrong = schedules.refused(str(error))
                if NO_ROOM.search(str(error)) and lines:
                    wrong = {len(lines)}
                if not wrong:
                    raise RuntimeError(f"by the schedule {'; '.join(lines)}: {error}") from error
                lines = [line for number, line in enumerate(lines, 1) if number not in wrong]

    def in_a_row(self, made, way):
        """The arrays that each of several launches of one kernel leaves."""
        with self.launch(made, way) as launch:
            for other in [made, *made.others]:
                launch.take(other)
                launch.run()
                yield {output: launch.left(output, self.folder) for output in made.outputs}

    def relaunched(self, made, way):
        """The results of the first of several launches; raises an error if others leave what they do not by no
        passes."""
        alone = Way(way.device, way.environment, "none", options=way.options)
        wanted, found = (list(self.in_a_row(made, each)) for each in (alone, way))
        for number, (want, other) in enumerate(zip(wanted, found)):
            complaint = compare(want, other, f"launch {number}")
            if complaint:
                raise RuntimeError(complaint)
        return found[0]

    def left(self, made, way, seed):
        if way.others and made.others:
            return self.relaunched(made, way)
        if way.schedule == "again":
            self.again(made, way)
        if way.schedule == "other":
            return self.by_other(made, way, seed)
        return self.results(made, way, ranks=(2, 3, 4, 7)[seed % 4] if way.ranks else 0)

    def nvrtc(self, made, seed):
        """That NVRTC makes a cubin of it; fails where it does not."""
        block = "x".join(re.search(r"block=\(?([\d, ]+)", made.text)[1].replace(" ", "").split(","))
        facts = ("none", "launch", f"common,block={block}")[seed % 3]
        with self.launch(made, WAYS["no passes"]) as launch:
            launch.emitted(b"cubin", facts.encode(), ARCHITECTURES[seed % len(ARCHITECTURES)].encode())

    def trial(self, generator, seed, ways, nvrtc):
        """One kernel in all ways; the first is what the others are compared with."""
        program, first = program_of(generator), None
        for name in ways:
            way = way_of(name, seed)
            say(begin=name)
            try:
                left = self.left(program(seed, way.decoration), way, seed)
            except RuntimeError as error:
                if way.ranks and any(text in str(error) for text in UNSPLIT):
                    continue
                say(wrong=f"{name}: {str(error)[:600]}")
                if way.device == "cuda":
                    say(broken=name)
                    sys.exit()
                if first is None:
                    break
                continue
            first = first or left
            complaint = compare(first, left, name)
            if complaint:
                say(wrong=complaint)
        if nvrtc:
            say(begin="NVRTC")
            try:
                self.nvrtc(program(seed), seed)
            except RuntimeError as error:
                say(wrong=f"NVRTC: {str(error)[:300]}")


def same(name, a, b):
    """Which elements agree; what is no number is as good as another that is none, but zeros have a sign."""
    if name.startswith("near"):
        return np.isclose(a, b, 1e-5, 1e-5, equal_nan=True)
    parts = [(x, y) for part in ("real", "imag") for x, y in [(getattr(a, part), getattr(b, part))]] \
        if a.dtype.kind == "c" else [(a, b)]
    signs = [np.signbit(x) == np.signbit(y) for x, y in parts] if a.dtype.kind in "fc" else [True]
    return (a == b) & np.logical_and.reduce(signs) | ((a != a) & (b != b))


def compare(first, other, name):
    for output, want in first.items():
        differ = np.argwhere(~np.atleast_1d(same(output, want, other[output])))
        if differ.size:
            place = tuple(int(axis) for axis in differ[0])
            return (f"{name}: {output}[{', '.join(map(str, place))}] is {other[output][place]!r}, "
                    f"not {want[place]!r}; {len(differ)} of {want.size} differ")
    return ""


def say(**words):
    print(json.dumps(words), flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        worker = Worker(pathlib.Path(sys.argv[1]), pathlib.Path(folder))
        for line in sys.stdin:
            task = json.loads(line)
            worker.trial(**task)
            say(done=task["seed"])


if __name__ == "__main__":
    main()
