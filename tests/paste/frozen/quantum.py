import numpy as np
from numba import cuda, complex64
from math import sqrt, cos, sin, pi
import qiskit

N_QUBITS = 10
DIM = 2 ** N_QUBITS
INV_SQRT2 = 1 / sqrt(2)
H = np.array([[1, 1], [1, -1]], dtype=np.complex64) * INV_SQRT2
GATES = {"h": H, "x": np.array([[0, 1], [1, 0]])}


def angle(k, /, *, turns=1): return 2 * pi * turns / (1 << k)


THETA = pi / 8


@cuda.jit
def hadamard(state, qubit):
    i = cuda.grid(1)
    bit = 1 << qubit
    if i < state.size and not i & bit:
        a = state[i]
        b = state[i | bit]
        state[i] = (a + b) * INV_SQRT2
        state[i | bit] = (a - b) * INV_SQRT2


@cuda.jit
def phase_shift(state, qubit, theta):
    i = cuda.grid(1)
    if i < state.size and i & (1 << qubit):
        state[i] *= complex(cos(theta), sin(theta))


@cuda.jit
def probabilities(state, out):
    i = cuda.grid(1)
    if i < DIM:
        out[i] = abs(state[i]) ** 2


@cuda.jit
def apply_gate(state, gate, qubit):
    i = cuda.grid(1)
    bit = 1 << qubit
    if i < state.size and (i & bit) == 0:
        a, b = state[i], state[i | bit]
        state[i] = gate[0, 0] * a + gate[0, 1] * b
        state[i | bit] = gate[1, 0] * a + gate[1, 1] * b


def circuit(*gates: str, qubits: "range" = range(N_QUBITS), **options):
    for name, *rest in (g.split() for g in gates):
        match name.lower(), rest:
            case "h", [q]:
                yield hadamard, int(q)
            case ("p" | "phase"), [q, theta, *_]:
                yield phase_shift, int(q), float(theta)
            case str() as other, []:
                raise KeyError(other)
            case {"name": n, **more}:
                print(n, more)
            case qiskit.Gate(name=n, params=[]) if n not in GATES:
                continue
