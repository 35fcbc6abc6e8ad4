"""State vectors: gates, measurement, Trotter steps; complex numbers and bit tricks."""
import cmath
import math
import re
from functools import reduce, singledispatch

import numpy as np
from numba import complex128, cuda, float64, int64, uint64, void

SQ2 = 1 / math.sqrt(2)
GATES = {
    "h": np.array([[SQ2, SQ2], [SQ2, -SQ2]], dtype=np.complex128),
    "x": np.array([[0, 1], [1, 0]], dtype=np.complex128),
    "t": np.diag([1, cmath.exp(1j * math.pi / 4)]),
}
H = GATES["h"]
PAULI_Y = np.array([[0, -1j], [1j, 0]])
HY = H @ PAULI_Y
PATTERN = re.compile(r"(?P<gate>[hxt])\s+(?P<qubit>\d+)")
SIG = void(complex128[::1], int64, int64)


@cuda.jit(device=True)
def insert_zero(i, bit):
    low = i & ((1 << bit) - 1)
    return ((i >> bit) << (bit + 1)) | low


def gate_kernel(matrix):
    m00, m01 = matrix[0]
    (m10, m11) = matrix[1]

    @cuda.jit
    def apply(state, bit):
        k = cuda.grid(1)
        if k < state.size >> 1:
            i = insert_zero(k, bit)
            j = i | 1 << bit
            a, b = state[i], state[j]
            state[i] = m00 * a + m01 * b
            state[j] = m10 * a + m11 * b

    return apply


hadamard = gate_kernel(H)


@cuda.jit(SIG)
def cz(state, a, b):
    i = cuda.grid(1)
    if i < state.shape[0] and (i >> a) & (i >> b) & 1:
        state[i] *= -1


@cuda.jit
def apply_fixed(state, bit, which):
    k = cuda.grid(1)
    if k < state.size // 2:
        i = insert_zero(k, bit)
        j = i + 2 ** bit
        for step in range(1):
            a, b = state[i], state[j]
            if which == 0:
                state[i], state[j] = HY[0, 0] * a + HY[0, 1] * b, HY[1, 0] * a + HY[1, 1] * b
            else:
                state[i], state[j] = a, cmath.rect(1.0, math.pi / which) * b


@cuda.jit
def probabilities(state, out, mask):
    i = cuda.grid(1)
    if i < state.size:
        p = abs(state[i]) ** 2
        parity = cuda.popc(uint64(i) & mask) & 1
        cuda.atomic.add(out, parity, p)


@singledispatch
def parse(arg):
    raise NotImplementedError(type(arg))


@parse.register
def _(arg: str):
    return [(m["gate"], int(m["qubit"])) for m in PATTERN.finditer(arg)]


def run(circuit: str, n: int):
    state = np.zeros(1 << n, dtype=complex)
    state[0] = 1
    for gate, qubit in parse(circuit):
        (gate_kernel(GATES[gate]))[(1 << n) // 128 + 1, 128](state, qubit)
    return reduce(lambda a, b: a + abs(b) ** 2, state, 0.0)
