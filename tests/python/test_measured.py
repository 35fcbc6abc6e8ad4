"""What the command measures, as objects; how large the figures are is not tested."""
import json
import os
import pathlib
import stat

import numpy as np
import pytest

import kjit
from kjit import cuda
from kjit.measured import drawn

KERNELS = """
tile = 1


@tune(tile=[1, 2], block=[32])
@example(x=zeros(1000, dtype=float32), grid=4, block=32)
@cuda.jit
def fill(x):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        x[i] = 2 * x[i] + tile
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "fill.k"
    path.write_text(KERNELS)
    return path


@cuda.jit(device=True)
def twice(x):
    return 2 * x


@cuda.jit
def double(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = twice(x[i])


@pytest.fixture
def paced(monkeypatch):
    """A command by whose clock a launch takes a millisecond: to measure what the machine can do takes seconds."""
    command = pathlib.Path(os.environ.get("BUILD", "build"), "tests/paced/kjit")
    if command.is_file():
        monkeypatch.setenv("KJIT_COMMAND", os.fspath(command.resolve()))


def test_a_launch_is_timed(paced):
    x, y = np.arange(1000.0), np.zeros(1000)
    before = kjit.device.current()
    found = kjit.bench(double[8, 128], x, y, seconds=0.05, samples=3)
    assert kjit.device.current() is before
    (it,) = found
    assert it.kernel == "double" and it.grid == (8, 1, 1) and it.block == (128, 1, 1)
    assert it.work.ops == 1000 and it.work.least_bytes == 16000 and it.intensity == 1 / 16
    assert 0 < it.warm.interval[0] <= it.warm.median <= it.warm.interval[1] and len(it.warm.samples) >= 3
    drawing = found._repr_html_()
    assert "double" in drawing and "<svg" in drawing and "polyline" in drawing
    double[8, 128](x, y)
    assert np.array_equal(y, 2 * x)


def test_a_file_is_tuned(file):
    found = kjit.tune(file, wisdom=False)
    assert len(found) == found.count == 2 and {it.values["tile"] for it in found} == {1, 2}
    assert found.best or found.undecided
    assert "2 of 2 configurations" in found._repr_html_()
    assert not file.with_suffix(".wisdom").exists()


def test_what_is_wrong_is_told(file):
    with pytest.raises(kjit.Error, match="there is no file"):
        kjit.bench("nowhere.k")
    with pytest.raises(kjit.Error, match="fill"):
        kjit.tune(f"{file}:nothing")
    with pytest.raises(kjit.ArgumentError, match="no 'grid'"):
        kjit.bench(double[1, 1], np.zeros(1), np.zeros(1), grid=3)
    with pytest.raises(kjit.ArgumentError, match="kjit.load"):
        kjit.bench(kjit.load(file).fill[1, 1], np.zeros(1, np.float32))


def test_the_command_may_be_named(tmp_path, monkeypatch):
    said = {"device": {"model": "<none>"}, "peaks": None, "kernels": []}
    script = tmp_path / "kjit"
    script.write_text(f"#!/bin/sh\necho '{json.dumps(said)}'\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("KJIT_COMMAND", os.fspath(script))
    found = kjit.bench("any.k")
    assert not found and "&lt;none&gt;" in found._repr_html_()


def test_rooflines():
    picture = drawn.roofline([("a<b", 0.25, 10.0), ("not counted", None, 1.0)], 100.0, 1000.0)
    assert "a&lt;b" in picture and picture.count("<circle") == 1 and "not counted" not in picture
    assert drawn.roofline([], 100.0, 1000.0) == "" and drawn.roofline([("a", 1.0, 1.0)], None, 1.0) == ""


def fill(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = x[i] * 2


def test_schedules_of_kernels(tmp_path):
    x, y = np.arange(10000.0), np.zeros(10000)
    plain = cuda.jit(fill)
    plain[64, 64](x, y)
    chosen = plain.inspect("schedule", plain.signatures[-1])
    assert "tile" in chosen or "bind lanes" in chosen  # where threads are a GPU's
    (tmp_path / "my.schedule").write_text(chosen)
    for given in (chosen, chosen.splitlines(), tmp_path / "my.schedule"):
        y[:] = 0
        cuda.jit(schedule=given)(fill)[64, 64](x, y)
        assert np.array_equal(y, 2 * x)
    with pytest.raises(kjit.TypingError, match="there is no directive 'nonsense'"):
        cuda.jit(schedule="nonsense 3")(fill)[64, 64](x, y)
    text = "@cuda.jit\ndef fill(x):\n    x[0] = 1\n"
    with pytest.raises(kjit.TypingError, match="no directive"):
        kjit.compile(text, schedule="nonsense").fill[1, 1](x)


def test_facts_are_a_table():
    plain = cuda.jit(fill)
    assert plain.facts()._repr_html_() == "<p>not compiled yet</p>"
    plain[1, 1](np.zeros(1), np.zeros(1))
    assert "fill(float64[::1], float64[::1])" in plain.facts()._repr_html_()
