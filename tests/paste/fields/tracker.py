"""Particle tracking in a detector: records, units, a geometry package beside the file."""
import dataclasses
import importlib
import math
from typing import Final, Literal, TypedDict

import numpy as np
from numba import cuda, from_dtype, types
from scipy import constants as sc

from .geo import layers as L
from .geo.fields import b_field, Solenoid
from . import geo

GEV: Final = 1e9
MODE: Literal["fast", "exact"] = "fast"
C = sc.c * 1e-9
hit_t = np.dtype([("layer", np.int32), ("x", np.float64), ("y", np.float64), ("edep", np.float32), ("tag", "S4")], align=True)
Hit = from_dtype(hit_t)
track_t = np.dtype({"names": ["pos", "mom", "q", "alive"], "formats": [(np.float64, 3), (np.float64, 3), np.int8, np.bool_]})
Track = from_dtype(track_t)
FIELD = Solenoid(strength=3.8, radius=L.RADII[-1])
SUBSTEPS = 1 if MODE == "fast" else 8


class Event(TypedDict, total=False):
    run: int
    tracks: np.ndarray


@cuda.jit(device=True)
def crossing(r0, r1):
    """The number of the layer between two radii, or -1."""
    for k in range(len(L.RADII)):
        if r0 < L.RADII[k] <= r1:
            return k
    return -1


@cuda.jit
def propagate(tracks, hits, counts, ds):
    i = cuda.grid(1)
    if i >= tracks.size or not tracks[i].alive:
        return
    track = tracks[i]
    for _ in range(SUBSTEPS):
        px, py = track.mom[0], track.mom[1]
        bz = b_field(FIELD.strength, FIELD.radius, math.hypot(track.pos[0], track.pos[1]))
        w = 0.2998 * track.q * bz * ds / SUBSTEPS
        c, s = math.cos(w), math.sin(w)
        track.mom[0], track.mom[1] = c * px - s * py, s * px + c * py
        r0 = math.hypot(track.pos[0], track.pos[1])
        p = math.sqrt(track.mom[0] ** 2 + track.mom[1] ** 2 + track.mom[2] ** 2)
        for k in range(3):
            track.pos[k] += track.mom[k] / p * ds / SUBSTEPS
        layer = crossing(r0, math.hypot(track.pos[0], track.pos[1]))
        if layer >= 0:
            at = cuda.atomic.add(counts, layer, 1)
            if at < hits.shape[1]:
                hit = hits[layer, at]
                hit.layer = layer
                hit.x, hit.y = track.pos[0], track.pos[1]
                hit["edep"] = geo.eloss(p, L.THICKNESS[layer])
                if p < 1.0:
                    hit["tag"] = b"slow"
                else:
                    hit["tag"] = b"fast"


@cuda.jit
def select(hits, counts, keep, threshold: float = 1e-3):
    layer, k = cuda.grid(2)
    if layer < hits.shape[0] and k < counts[layer]:
        h = hits[layer, k]
        keep[layer, k] = h.edep > threshold and h.tag != b"slow" and (MODE == "fast" or h.layer % 2 == 0)
