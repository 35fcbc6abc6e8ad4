# Primes by Eratosthenes: strikes out by a kernel, counts by array expressions.
import math
import numpy as np
from numba import cuda

N = 2000


@cuda.jit
def strike(composite, p):
    for i in range(cuda.grid(1), composite.size, cuda.gridsize(1)):
        number = p * p + i * p
        if number < composite.size:
            composite[number] = True


composite = cuda.to_device(np.zeros(N, dtype=bool))
for p in range(2, math.isqrt(N) + 1):
    strike[2, 64](composite, p)
primes = np.flatnonzero(~composite.copy_to_host())[2:]
gaps = np.diff(primes)
print(primes.size, primes[-5:], int(gaps.max()), primes[np.argmax(gaps)])
print(np.bincount(gaps)[::2][:8], [int(p) for p in primes if p % 100 == 97][:6])
sums = primes[(primes % 4 == 1)]
print(f"{sums.size / primes.size:.3f} of them are sums of two squares")
