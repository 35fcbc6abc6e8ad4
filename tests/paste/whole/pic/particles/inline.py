import math
from numba import njit


@njit
def push_p_vay(ux_i, uy_i, uz_i, Ex, Ey, Ez, Bx, By, Bz, econst, bconst):
    gamma_i = math.sqrt(1. + ux_i**2 + uy_i**2 + uz_i**2)
    inv = 1. / gamma_i
    taux, tauy, tauz = bconst * Bx, bconst * By, bconst * Bz
    tau2 = taux**2 + tauy**2 + tauz**2
    uxp = ux_i + econst * Ex + inv * (uy_i * tauz - uz_i * tauy)
    uyp = uy_i + econst * Ey + inv * (uz_i * taux - ux_i * tauz)
    uzp = uz_i + econst * Ez + inv * (ux_i * tauy - uy_i * taux)
    sigma = 1 + uxp**2 + uyp**2 + uzp**2 - tau2
    utau = uxp * taux + uyp * tauy + uzp * tauz
    inv_gamma_f = math.sqrt(2. / (sigma + math.sqrt(sigma**2 + 4 * (tau2 + utau**2))))
    return uxp, uyp, uzp, inv_gamma_f
