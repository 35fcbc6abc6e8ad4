from numba import cuda
from .. import config as c
from . import _interp

sh_size = c.NX + 1


@cuda.jit
def deposit_charge(x, rho):
    local = cuda.shared.array(sh_size, c.real)
    t = cuda.threadIdx.x
    for k in range(t, sh_size, cuda.blockDim.x):
        local[k] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < x.shape[0]:
        g = x[i] / c.DX
        j = c.integer(g)
        w = g - j
        cuda.atomic.add(local, j % c.NX, c.charge * (1 - w))
        cuda.atomic.add(local, (j + 1) % c.NX, c.charge * w)
    cuda.syncthreads()
    for k in range(t, c.NX, cuda.blockDim.x):
        cuda.atomic.add(rho, k, local[k])


@cuda.jit
def potential(x, e, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = _interp.gather(e, x[i]) * x[i]
