"""
Module to implement the propagation of the
electrons towards the anode.
"""
import logging
from math import exp, sqrt

from numba import cuda

from .consts import detector
from .tools import geometry as geo

logger = logging.getLogger("drift")
logger.setLevel(logging.WARNING)
logger.info("DRIFTING MODULE PARAMETERS")


@cuda.jit
def drift(tracks, borders, n_left):
    """
    This function takes as input an array of track segments and calculates
    the properties of the segments at the anode.

    Args:
        tracks (:obj:`numpy.ndarray`): array containing the tracks segment information
    """
    itrk = cuda.grid(1)
    if itrk < tracks.shape[0]:
        z = tracks[itrk, 2]
        which = geo.plane_of(z, borders)
        if which >= 0:
            anode = borders[which, 2, 0]
            time = abs(z - anode) / detector.V_DRIFT
            lifetime_red = exp(-time / detector.ELECTRON_LIFETIME)
            tracks[itrk, 3] *= lifetime_red
            tracks[itrk, 4] = sqrt(time * 2 * detector.LONG_DIFF)
            tracks[itrk, 5] = sqrt(time * 2 * detector.TRAN_DIFF)
            cuda.atomic.add(n_left, which, 1)


@cuda.jit
def split(tracks, out):
    i = cuda.grid(1)
    n = detector.N_PIXELS[0]
    if i < tracks.shape[0]:
        out[i] = int(tracks[i, 0] / detector.PIXEL_PITCH) % n
