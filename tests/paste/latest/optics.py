import math, cmath
import numpy as np
import scipy.constants as const
from scipy import special, fft as sfft
import numba as nb
from numba import cuda
from numba.core.errors import NumbaPerformanceWarning
import warnings
warnings.simplefilter('ignore', category=NumbaPerformanceWarning)
import pandas as pd
import yaml

__all__ = ['Propagator', 'angular_spectrum', 'fresnel']

PARAMS = dict(wavelength=632.8e-9, pitch=8e-6, shape=(256, 256))
CONFIG = {
    'block': (16, 16),
    'types': {'real': nb.float32, 'cplx': nb.complex64},
    'use_fast': True,
}
WAVELENGTH = PARAMS['wavelength']
K0 = 2 * np.pi / WAVELENGTH
C = const.c
Z0 = const.physical_constants['characteristic impedance of vacuum'][0] if False else 376.73
BLOCK = CONFIG['block']
real = CONFIG['types']['real']

def _cfg(path):
    with open(path) as fh:
        return yaml.safe_load(fh)

@cuda.jit(device=True)
def cexp(phi):
    return complex(math.cos(phi), math.sin(phi))

@cuda.jit(fastmath=CONFIG['use_fast'])
def fresnel(u, out, z):
    y, x = cuda.grid(2)
    ny, nx = u.shape
    if y >= ny or x >= nx:
        return
    acc = 0j
    dx = PARAMS['pitch']
    for j in range(ny):
        for i in range(nx):
            r2 = ((x - i) * dx) ** 2 + ((y - j) * dx) ** 2
            acc += u[j, i] * cexp(K0 * r2 / (2 * z))
    out[y, x] = acc * cmath.exp(1j * K0 * z) / (1j * WAVELENGTH * z)

@cuda.jit
def angular_spectrum(spec, z):
    iy, ix = cuda.grid(2)
    h, w = spec.shape
    if iy < h and ix < w:
        fy = (iy - h // 2) / (h * PARAMS['pitch'])
        fx = (ix - w // 2) / (w * PARAMS['pitch'])
        arg = 1.0 - (WAVELENGTH * fx) ** 2 - (WAVELENGTH * fy) ** 2
        if arg < 0:
            spec[iy, ix] = 0
        else:
            kz = K0 * math.sqrt(arg)
            spec[iy, ix] *= cexp(kz * z)

@cuda.jit
def intensity(u, out):
    s = cuda.shared.array(BLOCK, real)
    ty, tx = cuda.threadIdx.y, cuda.threadIdx.x
    y, x = cuda.grid(2)
    if y < u.shape[0] and x < u.shape[1]:
        v = u[y, x]
        s[tx, ty] = v.real ** 2 + v.imag ** 2
        out[y, x] = s[tx, ty] / Z0

class Propagator(object):
    """Wraps the kernels; see `Goodman`_.

    .. _Goodman: https://example.org
    """
    kernels = [fresnel, angular_spectrum]
    def __init__(self, shape=PARAMS['shape'], **kwargs):
        self.shape = shape
        self.__dict__.update(kwargs)
        self.grid = tuple(-(-s // b) for s, b in zip(shape, BLOCK))
    def __call__(self, u, z, kernel=0):
        d_u = cuda.to_device(u)
        d_o = cuda.device_array_like(d_u)
        self.kernels[kernel][self.grid, BLOCK](d_u, d_o, z)
        return d_o.copy_to_host()
    def report(self):
        df = pd.DataFrame({'z': np.linspace(0, 1), 'I': [self(np.ones(self.shape, 'c8'), z).real.max() for z in np.linspace(0, 1)]})
        return df.describe().to_string()

if __name__ == '__main__':
    p = Propagator()
    print(p.report())
