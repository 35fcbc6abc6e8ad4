"""What some of the kernels must leave, by NumPy: cases for check.py.

Each function makes a case of its name; it gives the kernel, the options of `kjit run` that choose
the launch, the arguments, and what arguments must hold afterwards.
"""
import zlib

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


def functions_that_are_linked():
    rows = random(5, 7).astype("f4")
    return ("more/linked/lens.py:energies", ["--grid", "1x32"],
            {"out": np.zeros(5), "rows": rows}, {"out": (rows.astype("f8") ** 2).sum(axis=1)})


def pointers_that_are_linked():
    seeds, counts = np.arange(50, dtype="u4"), np.zeros(8, "i4")
    wanted = np.zeros(8, "i4")
    np.add.at(wanted, (seeds * np.uint32(2654435761) ^ np.uint32(1)) % 8, 19 + 109)
    return ("more/linked/lens.py:histogram", ["--grid", "2x32"],
            {"counts": counts, "seeds": seeds}, {"counts": wanted})


def pairs_that_are_linked():
    x = 5 * random(20, seed=3).astype("f4") - 2
    return ("more/linked/lens.py:make_splitter.parts", ["-D", "scale=2", "--grid", "1x32"],
            {"whole": np.zeros(20, "f4"), "rest": np.zeros(20, "f4"), "x": x},
            {"whole": np.trunc(2 * x), "rest": 2 * x - np.trunc(2 * x)})


def _limited(u, limiter):
    out = np.zeros_like(u)
    a, b = np.diff(u)[1:-2], np.diff(u)[2:-1]
    out[2:-2] = np.where(a * b <= 0, 0, limiter(a, b)) / 2
    return out


def functions_of_derived_classes():
    u = random(40)
    return ("more/schemes/muscl.py:slopes", ["--grid", "1x64"], {"u": u, "out": np.zeros(40)},
            {"out": _limited(u, lambda a, b: np.where(abs(a) < abs(b), a, b))})


def functions_given_the_class():
    u = random(40)
    return ("more/schemes/muscl.py:steep", ["--grid", "1x64"], {"u": u, "out": np.zeros(40)},
            {"out": _limited(u, lambda a, b: np.maximum(abs(a), abs(b)) * np.sign(a))})


def constants_of_bases():
    u = random(40)
    return ("more/schemes/muscl.py:energies", ["--grid", "1x64"], {"u": u, "out": np.zeros(40)},
            {"out": 0.4 * u * 2 + 1})


def _feistel(x, key, half, rounds=6):
    def mix(z):
        z ^= z >> 30
        z = z * 0xBF58476D1CE4E5B9 % 2 ** 64
        z ^= z >> 27
        z = z * 0x94D049BB133111EB % 2 ** 64
        return z ^ z >> 31

    mask = (1 << half) - 1
    left, right = x >> half & mask, x & mask
    for r in range(rounds):
        left, right = right, left ^ mix((right + key + r * 0x9E3779B97F4A7C15) % 2 ** 64) & mask
    return left << half | right


def kernels_under_a_condition():
    order = []
    for i in range(50):
        x = _feistel(i, 7, 3)
        while x >= 50:
            x = _feistel(x, 7, 3)
        order.append(x)
    return ("later/permute.py:permutation", ["--grid", "1x64"],
            {"out": np.zeros(50, np.int64), "key": "uint64(7)", "half": 3}, {"out": np.array(order)})


def weights_of_a_lattice():
    f = np.zeros((9, 128, 48))
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    return ("later/lbm.py:start", ["--grid", "8,6x16,8"], {"f": f},
            {"f": np.broadcast_to(w[:, None, None], f.shape)})


def letters_by_their_numbers():
    text = np.frombuffer(b"ACGTNacgtnAG", np.uint8)
    codes = np.array([0, 1, 2, 3, 4, 0, 4, 4, 4, 4, 0, 2], np.uint8)
    return ("later/align.py:encode_all", ["--grid", "1x8"],
            {"text": text, "codes": np.zeros(12, np.uint8)}, {"codes": codes})


def states_of_a_shock_tube():
    u = np.zeros((3, 200))
    u[0] = np.where(np.arange(200) < 100, 1.0, 0.125)
    u[2] = np.where(np.arange(200) < 100, 1.0, 0.1) / 0.4
    return ("later/flow/solver.py:initial", ["--grid", "4x64"], {"u": np.zeros((3, 200))}, {"u": u})


def stages_of_a_tableau():
    states = random(6, 2).astype("f4")
    wanted = states.astype("f8")
    for step in range(5):
        t = step * 0.01
        def rate(s, t):
            return np.roll(s, -1, axis=1) * t - s
        k0 = rate(wanted, t)
        k1 = rate(wanted + 0.01 * k0, t + 0.01)
        wanted = wanted + 0.005 * (k0 + k1)
    return ("later/allocate.py:RungeKutta.build.integrate",
            ["-D", 'method="heun"', "-D", "n=2", "--grid", "1x32"],
            {"states": states, "steps": 5}, {"states": wanted.astype("f4")})


def payoffs_of_calls():
    z = random(20, 10) - 0.5
    s = 100 * np.exp(np.cumsum((0.035 - 0.02) / 252 + 0.2 * np.sqrt(1 / 252) * z, axis=1))
    payoff = (100 + s.sum(axis=1)) / 11 - 95
    return ("later/market.py:paths", ["--grid", "1x32"],
            {"out": np.zeros(20), "normals": z, "contract": "(100.0, 95.0, 0.2)", "flavour": "int32(0)"},
            {"out": np.exp(-0.035 * 10 / 252) * np.maximum(payoff, 0)})


def decorators_of_the_program():
    x = random(20)
    return ("whole/decorated.py:eighths", ["--grid", "1x32"], {"x": x, "out": np.zeros(20)},
            {"out": x / 8})


def twiddles_and_bits_of_a_loop():
    x = (random(3, 64) + 1j * random(3, 64, seed=2)).astype("c8")
    return ("whole/fft_radix2.py:windowed", ["--grid", "1,8x4,8"],
            {"x": x.real.copy(), "out": np.zeros((3, 64))},
            {"out": x.real * (lambda w: w / w.mean())(0.5 - 0.5 * np.cos(
                2 * np.pi * np.arange(64) / 63))})


def checksums():
    data = (random(8, 16) * 256).astype("u1")
    lengths = np.arange(8)
    wanted = [zlib.crc32(bytes(row[:n])) for row, n in zip(data, lengths)]
    return ("whole/hashes.py:crc32", ["--grid", "1x8"],
            {"data": data, "lengths": lengths, "out": np.zeros(8, "u4")},
            {"out": np.array(wanted, "u4")})


def codes_of_letters():
    text = np.frombuffer(b"ACGTacgtNN", "u1")
    return ("whole/dna.py:encode", ["--grid", "1x32"],
            {"text": text, "out": np.zeros(10, "u1")}, {"out": [0, 1, 2, 3, 0, 1, 2, 3, 4, 4]})


def relaxation_by_inverses():
    f, feq = random(9, 24, 16), random(9, 24, 16, seed=2)
    m = np.array([[1] * 9, [-4, -1, -1, -1, -1, 2, 2, 2, 2], [4, -2, -2, -2, -2, 1, 1, 1, 1],
                  [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, -2, 0, 2, 0, 1, -1, -1, 1],
                  [0, 0, 1, 0, -1, 1, 1, -1, -1], [0, 0, -2, 0, 2, 1, 1, -1, -1],
                  [0, 1, -1, 1, -1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, -1, 1, -1]])
    omega = 1 / (3 * 0.04 * (16 // 9) / 150 + 0.5)
    s = np.diag([1.0, 1.1, 1.1, 1.0, 1.2, 1.0, 1.2, omega, omega])
    wanted = f - np.einsum("kl,lij->kij", np.linalg.inv(m) @ s @ m, f - feq)
    return ("whole/lbm_d2q9.py:collide_mrt", ["--grid", "3,2x8,8"],
            {"f": f, "feq": feq, "fout": np.zeros_like(f)}, {"fout": wanted})


def weights_by_solving():
    u = random(40)
    wanted = np.zeros(40)
    wanted[2:-2] = np.convolve(u, np.array([-1, 16, -30, 16, -1]) / 12, "valid")
    return ("whole/fd_orders.py:laplace", ["--grid", "1x64"], {"u": u, "out": np.zeros(40)},
            {"out": wanted})


def closures_given_to_jit():
    u = random(6, 12)
    wanted = (np.roll(u, -1, axis=1) - np.roll(u, 1, axis=1)) / 2
    return ("whole/fd_orders.py:Operator.__init__.apply", ["--grid", "1,2x8,8"],
            {"u": u, "out": np.zeros((6, 12))}, {"out": wanted})


def settings_of_a_package():
    p, f = random(32, 16), random(32, 16, seed=2)
    wanted = p.copy()
    new = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 0.1 ** 2 * f[1:-1, 1:-1]) / 4
    odd = np.add.outer(np.arange(1, 31), np.arange(1, 15)) % 2 == 1
    wanted[1:-1, 1:-1] = np.where(odd, (1 - 1.7) * p[1:-1, 1:-1] + 1.7 * new, p[1:-1, 1:-1])
    return ("whole/tool/gpu/poisson.py:relax", ["--grid", "4,2x8,8"],
            {"p": p, "f": f, "colour": 1}, {"p": wanted})


def spectra_of_species():
    kind = np.arange(30) % 2
    rho = random(30) * 1000
    return ("whole/sph/kernels.py:pressure", ["--grid", "1x32"],
            {"rho": rho, "p": np.zeros(30), "kind": kind},
            {"p": 3 * (rho - np.array([1000.0, 900.0])[kind]) + 3})


def kernel_of_an_object_s_method():
    x, v = random(40), random(40, seed=2)
    fast = v - 0.25 * (2 * x + 0.5 * v)
    return ("latest/methods.py:swing", ["--grid", "1x64"], {"x": x, "v": v},
            {"x": x + 0.25 * fast, "v": fast})


def kernel_of_a_class_s_method():
    x, v = random(40), random(40, seed=2)
    return ("latest/methods.py:coast4", ["--grid", "1x64"], {"x": x, "v": v}, {"x": x + v})


def kernel_of_another_file_s_factory():
    x, target = random(40), random(40, seed=2)
    return ("latest/methods.py:relax_more", ["--grid", "1x64"], {"x": x, "target": target},
            {"x": 0.25 * x + 0.75 * target})


def names_that_branches_import():
    x, field, out = random(40) * 20, random(24, seed=2), np.zeros(40)
    return ("latest/plasma/fields.py:gather", ["--grid", "1x64"],
            {"x": x, "field": field, "out": out}, {"out": np.interp(x, np.arange(24), field)})


def kernel_of_a_factory_s_factory():
    x, y = random(40), np.zeros(40)
    wanted = y.copy()
    wanted[2:-2] = 2 / 5 * (x[3:-1] + x[4:] - x[1:-3] - x[:-4])
    return ("latest/filters_lab.py:edge2", ["--grid", "1x64"], {"x": x, "y": y}, {"y": wanted})


def kernel_of_a_list_of_kernels():
    return ("latest/filters_lab.py:last_stage", *kernel_of_a_factory_s_factory()[1:])


def kernel_of_a_dictionary():
    x, y = random(40), np.zeros(10)
    return ("latest/filters_lab.py:down4", ["--grid", "1x64"], {"x": x, "y": y}, {"y": x[::4]})


def _assembled(kernel, wanted):
    x, out = random(40), np.zeros(40)
    return (f"latest/assembled.py:{kernel}", ["--grid", "1x64"], {"x": x, "out": out},
            {"out": wanted(x)})


def kernel_by_partial_application():
    return _assembled("quarter", lambda x: 0.75 * x)


def kernel_by_partial_application_by_name():
    return _assembled("lifted", lambda x: 0.5 * x + 3)


def kernel_of_spread_arguments():
    return _assembled("driven", lambda x: 0.25 * x + 1)


def kernel_of_spread_keywords():
    u, v, out = random(40), random(40, seed=2), np.zeros(40)
    return ("latest/assembled.py:cubic", ["--grid", "1x64"], {"u": u, "v": v, "out": out},
            {"out": 0.5 * (1 - u) - 0.125 * v ** 3})


def kernel_of_a_dictionary_comprehension():
    return _assembled('by_rate["fast"]', lambda x: -x)


def kernel_of_a_list_comprehension():
    return _assembled("steps[2]", lambda x: 0.625 * x)


def kernel_that_replaces_an_item():
    return _assembled("first", lambda x: np.full(40, 7.0))


def kernel_that_a_loop_appends():
    return _assembled("last_stage", lambda x: 2.5 - x)


def kernel_that_an_object_keeps():
    x, out = random(40), np.zeros(40)
    wanted = out.copy()
    wanted[1:-1] = 4 * (x[:-2] - 2 * x[1:-1] + x[2:])
    return ("latest/assembled.py:diffuse", ["--grid", "1x64"], {"x": x, "out": out},
            {"out": wanted})


def kernel_whose_signature_a_loop_gives():
    x, out = random(40).astype("f4"), np.zeros(40, "f4")
    return ("latest/assembled.py:single", ["--grid", "1x64"], {"x": x, "out": out},
            {"out": 4 * x})


def kernel_that_a_table_of_functions_gives():
    return _assembled('maps["square"]', lambda x: x ** 2)


def kernel_that_an_object_makes_of_its_function():
    return _assembled("shift.kernel", lambda x: np.append(x[1:], 0))
