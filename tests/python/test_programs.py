"""Functions of a file's host part, called with Python's arguments."""
import numpy as np
import pytest

import kjit
from kjit import cuda

TEXT = """
import numpy as np
from numba import cuda

SCALE = 3
table = np.arange(4)
calls = 0


@cuda.jit
def step(u, v, r):
    i, j = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        v[i, j] = u[i, j] + r * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])


def solve(plate, r, most):
    u, v = plate.copy(), plate.copy()
    for steps in range(most):
        step[(4, 4), (16, 16)](u, v, r)
        u, v = v, u
    plate[:] = u
    return steps + 1, u.mean(axis=0)


def several(a, b):
    return a + b, (True, 2.5), a * 1j


def nothing(a):
    a[0] = 7


def itself(a):
    return a


def wrong(a):
    return a[10]


def told():
    print("from the program")
    return SCALE
"""


def by_numpy(plate, r, most):
    u = plate.copy()
    for _ in range(most):
        v = u.copy()
        v[1:-1, 1:-1] += r * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
        u = v
    return u


@pytest.fixture(scope="module")
def program():
    return kjit.compile(TEXT, "program.py")


def test_a_solver(program):
    plate = np.zeros((40, 60))
    plate[:, 0] = 100
    expected = by_numpy(plate, 0.2, 30)
    steps, means = program.solve(plate, 0.2, 30)
    assert steps == 30 and np.allclose(plate, expected) and np.allclose(means, expected.mean(axis=0))
    assert means.flags.owndata or means.base is not None
    program.solve(np.zeros((40, 60)), 0.2, 1)
    assert np.allclose(means, expected.mean(axis=0))  # it is a copy


def test_what_comes_back(program):
    assert program.several(3, 4) == (7, (True, 2.5), 3j)
    a = np.zeros(3)
    assert program.nothing(a) is None and a[0] == 7
    assert program.itself(np.arange(6, dtype=np.int16).reshape(2, 3)[:, ::2]).tolist() == [[0, 2], [3, 5]]
    assert program.itself(np.float32(1.5)) == 1.5 and program.itself(2**40) == 2**40 and program.itself(True) is True
    assert program.itself(np.zeros((0, 3))).shape == (0, 3)


def test_arrays_of_the_device(program):
    d = cuda.to_device(np.arange(3.0))
    program.nothing(d)
    assert d.copy_to_host().tolist() == [7, 1, 2]
    back = program.itself(d)
    del d
    assert np.asarray(back).tolist() == [7, 1, 2]


def test_values_of_the_level(program):
    assert program.value("SCALE") == 3 and program.value("table").tolist() == [0, 1, 2, 3]
    with pytest.raises(kjit.Error):
        program.value("nowhere")


def test_a_kernel_that_raises():
    text = """
import numpy as np
from numba import cuda


@cuda.jit(debug=True, opt=False)
def past(x):
    x[cuda.grid(1)] = 1


def run(x):
    past[1, 8](x)
"""
    with pytest.raises(IndexError, match="raising.py:8:5: index 3"):
        kjit.compile(text, "raising.py").run(np.zeros(3))


def test_what_is_wrong(program):
    with pytest.raises(kjit.Error, match="IndexError"):
        program.wrong(np.zeros(3))
    with pytest.raises(kjit.Error):
        program.wrong()
    with pytest.raises(AttributeError, match="no kernel 'nowhere'"):
        program.nowhere
    with pytest.raises((TypeError, kjit.Error)):
        program.itself(object())


def test_what_it_prints_is_in_order(program, capfd):
    print("before")
    assert program.told() == 3
    print("after")
    assert capfd.readouterr().out.split("\n")[:3] == ["before", "from the program", "after"]


def test_levels_that_fail():
    with pytest.raises(kjit.Error, match="ZeroDivisionError"):
        kjit.compile("def f():\n    return 1\n\n\nx = 1 // 0\n", "fails.py").f()
