"""What numba 0.68 computes, as numbers where it printed them, else by its method in Python."""
import numpy as np

from expect import tolerance

WORD = 2 ** 64 - 1


def _turned(x, by):
    return (x << by | x >> (64 - by)) & WORD


def _next(state):
    s0, s1 = state
    both = s0 ^ s1
    state[:] = [_turned(s0, 55) ^ both ^ both << 14 & WORD, _turned(both, 36)]
    return s0 + s1 & WORD


def _jump(state):
    s0 = s1 = 0
    for bit in range(128):
        if (0xBEAC0467EBA5FACB | 0xD86B048B86AA9922 << 64) >> bit & 1:
            s0, s1 = s0 ^ state[0], s1 ^ state[1]
        _next(state)
    state[:] = [s0, s1]


def _states(count, seed):
    z = seed + 0x9E3779B97F4A7C15 & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    state = [z ^ z >> 31] * 2
    states = []
    for _ in range(count):
        states.append(list(state))
        _jump(state)
    return states


def _bits(count, seed, each):
    """_next() of all states at once."""
    s0, s1 = np.array(_states(count, seed), np.uint64).T
    bits = np.empty((count, each), np.uint64)
    for i in range(each):
        bits[:, i] = s0 + s1
        both = s0 ^ s1
        s0, s1 = (s0 << 55 | s0 >> 9) ^ both ^ both << 14, both << 36 | both >> 28
    return bits


def _units(count, seed, each):
    return (_bits(count, seed, each) >> np.uint64(11)) * 2.0 ** -53


def states_of_seed_1():
    states = np.array(_states(1000, 1), np.uint64)
    assert [hex(word) for word in states[:3].ravel()] == [
        "0x910a2dec89025cc1", "0x910a2dec89025cc1", "0x73c19a5348fc9098", "0x6c96c932f21d71ee",
        "0xb3d0cd6ddfa7a4c", "0xd3c2c33e9b8e707a"]
    return {"out": states}


def states_of_the_last_seed():
    return {"out": np.array([[0xe4d971771b652c20, 0xe4d971771b652c20],
                             [0xf06e5493d9197688, 0x5d1905e55c940204]], np.uint64)}


def states_further_on():
    return {"out": np.array([[0x28a46ebc660d8bb3, 0xad75fba22e03075f],
                             [0xef56f4070a98d229, 0xcdb6294c5f07e788]], np.uint64)}


def next_bits():
    bits = _bits(3, 1, 4)
    assert [hex(word) for word in bits[1]] == [
        "0xe05863863b1a0286", "0x35d4f476e08d5559", "0x6b48e8d378de8c7b", "0x14a696847e78f7ad"]
    return {"out": bits}


def uniform_float32():
    units = _units(3, 1, 4).astype(np.float32)
    assert [float(x).hex() for x in units[1]] == [
        "0x1.c0b0c80000000p-1", "0x1.aea7a40000000p-3", "0x1.ad23a40000000p-2",
        "0x1.4a69680000000p-4"]
    return {"out": units}


def uniform_float64():
    units = _units(3, 1, 4)
    assert [float(x).hex() for x in units[1]] == [
        "0x1.c0b0c70c76340p-1", "0x1.aea7a3b7046a8p-3", "0x1.ad23a34de37a2p-2",
        "0x1.4a696847e78f0p-4"]
    return {"out": units}


def _numbers(*texts):
    return np.array([float.fromhex(text) for text in texts])


@tolerance(5e-7)
def normal_float32():
    return {"out": _numbers("0x1.03e2960000000p-3", "0x1.272e420000000p+0", "0x1.0f4a0c0000000p+0",
                            "0x1.0a4a680000000p-3").astype(np.float32)}


@tolerance(2e-7)
def normal_float64():
    """The logarithm is of float32."""
    return {"out": _numbers("0x1.03e298c7170d0p-3", "0x1.272e42a009c47p+0", "0x1.0f4a0c5fe5efcp+0",
                            "0x1.0a4a705b946d1p-3")}


def seeds_and_jumps():
    out = np.zeros(40, np.uint64)
    out[:8] = _bits(8, 5, 1)[:, 0]
    return {"out": out}


def compute_pi():
    units = _units(64 * 24, 1, 2000).astype(np.float32)
    inside = (units[:, 0::2] ** 2 + units[:, 1::2] ** 2 <= 1).sum(1)
    return {"out": (4.0 * inside / 1000).astype(np.float32)}


@tolerance(1e-6)
def monte_carlo_integral():
    x = _units(5000, 7, 1)[:, 0].astype(np.float32) * 4.0 + 1.0
    return {"out": (3 * x ** 2 * 4).astype(np.float32)}


def random_in_three_axes():
    units = _units(256, 1, 12).astype(np.float32)
    drawn = np.zeros(256, int)
    out = np.zeros((6, 9, 20), np.float32)
    for (i, j, k), _ in np.ndenumerate(out):
        thread = (i % 4 * 4 + j % 4) * 16 + k % 16
        out[i, j, k] = units[thread, drawn[thread]]
        drawn[thread] += 1
    return {"out": out}
