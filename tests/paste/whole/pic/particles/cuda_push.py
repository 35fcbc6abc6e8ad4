"""Push"""
from scipy.constants import c, e, m_e
from scipy import constants
from pic.utils.cuda import compile_cupy, cuda_installed
if cuda_installed:
    from pic.utils.cuda import cuda_tpb_bpg_1d
    import cupy
from numba import cuda
from .inline import push_p_vay
push_inline = cuda.jit(push_p_vay.py_func, device=True, inline=True)


@compile_cupy
def push_x_gpu(x, y, z, ux, inv_gamma, dt, x_push, y_push, z_push):
    # half a step
    i = cuda.grid(1)
    cdt = c * dt
    if i < x.shape[0]:
        inv_g = inv_gamma[i]
        x[i] += cdt * x_push * inv_g * ux[i]
        y[i] += cdt * y_push * inv_g * ux[i]
        z[i] += cdt * z_push * inv_g * ux[i]


@cuda.jit
def push_p_gpu(ux, uy, uz, inv_gamma, Ex, Bz, q, m, Ntot, dt):
    econst = q * dt / (m * c)
    bconst = 0.5 * q * dt / m
    ip = cuda.grid(1)
    if ip < Ntot:
        ux[ip], uy[ip], uz[ip], inv_gamma[ip] = push_inline(
            ux[ip], uy[ip], uz[ip], Ex[ip], 0., 0., 0., 0., Bz[ip], econst, bconst)


@cuda.jit
def radiate(gamma, out):
    i = cuda.grid(1)
    if i < gamma.size:
        out[i] = gamma[i] * constants.epsilon_0 / m_e * e ** 2 + constants.fine_structure
