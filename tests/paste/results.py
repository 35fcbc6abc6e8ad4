"""What some of the kernels must leave, by NumPy: cases for check.py.

Each function makes a case of its name; it gives the kernel, the options of `kjit run` that choose
the launch, the arguments, and what arguments must hold afterwards.
"""
import numpy as np


def random(*shape, seed=1):
    return np.random.default_rng(seed).random(shape)


def convolution_of_a_factory():
    x, w, out = random(200).astype("f4"), random(11, seed=2).astype("f4"), np.zeros(200, "f4")
    wanted = np.convolve(np.pad(x, 5), w[::-1], "valid")
    return ("frozen/factory_conv.py:make_convolve.convolve",
            ["-D", "radius=5", "--grid", "4x64"], {"x": x, "weights": w, "out": out},
            {"out": wanted})


def power_of_a_factory():
    x = random(50)
    return ("frozen/factory_conv.py:make_power.apply", ["-D", "exponent=3", "--grid", "1x64"],
            {"x": x}, {"x": 2 * x ** 3})


def waves_of_second_order():
    u, old, new = random(64), random(64, seed=2), np.zeros(64)
    wanted = 2 * u - old + 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return ("frozen/factory_class.py:build_kernels.wave", ["-D", "order=2", "--grid", "1x64"],
            {"u": u, "old": old, "new": new, "r2": 0.1}, {"new": wanted})


def photons_that_are_reflected():
    x, d = random(32) - 0.5, np.zeros(32)
    return ("frozen/class_kernels.py:Photon.propagate", ["--grid", "1x32"],
            {"x": x, "direction": d, "t": 1.0, "bound": 2}, {"x": abs(x)})


def constants_of_scipy():
    e, out = random(16) + 1, np.zeros(16)
    h, c, pi = 6.62607015e-34, 299792458.0, np.pi
    return ("frozen/class_kernels.py:colours", ["--grid", "1x16"], {"energy": e, "out": out},
            {"out": 2 * pi / (h * c / e) * (h / (2 * pi))})


def drift_in_a_package():
    tracks = random(20, 6)
    pixel = (tracks[:, 0] / 0.4434).astype(int) % 64
    return ("frozen/larsim/drift.py:split", ["--grid", "1x32"],
            {"tracks": tracks, "out": np.zeros(20, "i4")}, {"out": pixel})


def charges_of_particles():
    x, rho = random(100), np.zeros(64)
    g = x * 64
    j, w = g.astype(int), g - g.astype(int)
    wanted = np.zeros(64)
    np.add.at(wanted, j % 64, -1.602176634e-19 * (1 - w))
    np.add.at(wanted, (j + 1) % 64, -1.602176634e-19 * w)
    return ("frozen/particles/kernels/deposit.py:deposit_charge", ["--grid", "1x128"],
            {"x": x, "rho": rho}, {"rho": wanted})


def lattice_with_tables_of_lists():
    f = np.zeros((9, 4, 4))
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    cu = 0.1 * cx
    wanted = w * 1.5 * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * 0.01)
    return ("frozen/lattice.py:initialise", ["--grid", "1,1x4,4"], {"f": f, "rho0": 1.5},
            {"f": np.broadcast_to(wanted[:, None, None], f.shape)})


def names_of_two_branches():
    x = np.zeros(64)
    return ("more/guarded.py:fill", ["--grid", "1x64"], {"x": x},
            {"x": np.pi / 2 * (np.arange(64) % 32)})


def constants_that_are_calls():
    x = random(100)
    return ("more/evaluated.py:scan", ["--grid", "1x128"], {"x": x}, {"x": np.cumsum(x)})


def constants_that_are_unpacked():
    x, y = random(64), np.zeros(64)
    return ("more/evaluated.py:gaussian", ["--grid", "1x64"], {"x": x, "y": y},
            {"y": np.exp(-x * x / 8) / (np.sqrt(2 * np.pi) * 2)})


def stencil_of_a_class():
    x, y = random(40), np.zeros(40)
    padded = np.pad(x, 1, mode="edge")
    return ("more/factories.py:Stencil.build.run", ["-D", "clamp=True", "--grid", "1x64"],
            {"x": x, "y": y}, {"y": (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4})


def factory_in_a_factory():
    x = random(8)
    return ("more/factories.py:outer.middle.inner", ["-D", "n=4", "--grid", "1x8"], {"x": x},
            {"x": x + 24})


def sums_rebound_in_settings():
    s, out = np.ones((16, 16), "i1"), np.zeros(1, "f4")
    return ("more/lab/sims/models/ising.py:magnetisation", ["--grid", "1x256"],
            {"s": s, "out": out}, {"out": [256]})


def device_functions_by_calls_of_jit():
    x, y = np.linspace(-4, 4, 32), np.zeros(32)
    return ("more/jit_forms.py:both", ["--grid", "1x32"], {"x": x, "y": y},
            {"y": np.clip(np.log1p(np.exp(x)), 0, 1)})


def defaults_of_parameters():
    x = random(16).astype("f4")
    return ("frozen/cube.py:threshold", ["--grid", "1x16"], {"x": x, "out": np.zeros(16, "i4")},
            {"out": x > 0.5})
