"""Kuramoto's oscillators: from disorder to order as the coupling grows."""
import numpy as np
import math
from numba import cuda, float32

TPB = 16


@cuda.jit
def step(theta, out, omega, coupling, dt):
    tile = cuda.shared.array(TPB, dtype=float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    n = theta.shape[0]
    mine = theta[i] if i < n else 0.0
    total = float32(0)
    for start in range(0, n, TPB):
        if start + t < n:
            tile[t] = theta[start + t]
        cuda.syncthreads()
        for j in range(min(TPB, n - start)):
            total += math.sin(tile[j] - mine)
        cuda.syncthreads()
    if i < n:
        out[i] = mine + dt * (omega[i] + coupling / n * total)


def order(theta):
    return abs(np.exp(1j * theta).mean())


n = 32
rng = np.random.default_rng(2)
omega = np.sort(rng.standard_normal(n) * 0.5).astype(np.float32)
start = rng.uniform(-np.pi, np.pi, n).astype(np.float32)
found = []
for coupling in [0.0, 0.5, 1.0, 2.0, 4.0]:
    a, b = cuda.to_device(start), cuda.device_array_like(start)
    d_omega = cuda.to_device(omega)
    history = []
    for k in range(60):
        step[(n + TPB - 1) // TPB, TPB](a, b, d_omega, np.float32(coupling), np.float32(0.2))
        a, b = b, a
        if k >= 40 and k % 5 == 0:
            history.append(order(a.copy_to_host()))
    found.append(float(np.mean(history)))
    print("coupling %.1f: order %.2f" % (coupling, found[-1]))
print("grows:", found[-1] > 0.9 and found[0] < 0.3, np.argmax(np.diff(found)))
