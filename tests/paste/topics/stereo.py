"""Census transform, semi-global matching, Lucas-Kanade flow, Hough votes and labels."""
import concurrent.futures as cf
import importlib.util
import math
import platform
from typing import *

import cv2
import numpy as np
from numba import cuda, uint8, uint16, uint32, uint64, int16, int32, float32
import skimage.io as io

if importlib.util.find_spec("cupy") is not None:
    import cupy as cp
else:
    cp = None

D_MAX = 8
P1, P2 = 10, 120
WIN: int = 2
PATHS = [(0, 1), (0, -1), (1, 0), (-1, 0)]
NTHETA = 30
COS = np.cos(np.arange(NTHETA) * np.pi / NTHETA).astype(np.float32)
SIN = np.sin(np.arange(NTHETA) * np.pi / NTHETA).astype(np.float32)


@cuda.jit("void(uint8[:, :], uint32[:, :])")
def census5x5(img, out):
    x, y = cuda.grid(2)
    H, W = img.shape
    if y < 2 or y >= H - 2 or x < 2 or x >= W - 2:
        return
    c = img[y, x]
    bits = uint32(0)
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            if not (dx == 0 and dy == 0):
                bits = (bits << 1) | uint32(img[y + dy, x + dx] < c)
    out[y, x] = bits


@cuda.jit
def cost_volume(cl, cr, cost):
    x, y, d = cuda.grid(3)
    if y < cl.shape[0] and x < cl.shape[1] and d < D_MAX:
        cost[y, x, d] = cuda.popc(cl[y, x] ^ cr[y, x - d]) if x >= d else 24


def aggregate_factory(direction):
    dy, dx = PATHS[direction]
    horizontal = dy == 0

    @cuda.jit
    def aggregate(cost, total):
        line = cuda.blockIdx.x
        d = cuda.threadIdx.x
        prev = cuda.shared.array(D_MAX + 2, int32)
        best = cuda.shared.array(D_MAX, int32)
        H, W, _ = cost.shape
        length = W if horizontal else H
        prev[d + 1] = 0
        if d == 0:
            prev[0] = prev[D_MAX + 1] = 1 << 14
        cuda.syncthreads()
        for s in range(length):
            k = s if dx + dy > 0 else length - 1 - s
            y, x = (line, k) if horizontal else (k, line)
            best[d] = prev[d + 1]
            cuda.syncthreads()
            lo = best[0]
            for q in range(1, D_MAX):
                lo = min(lo, best[q])
            v = cost[y, x, d] + min(min(prev[d + 1], prev[d] + P1), min(prev[d + 2] + P1, lo + P2)) - lo
            cuda.syncthreads()
            prev[d + 1] = v
            cuda.atomic.add(total, (y, x, d), v)
            cuda.syncthreads()

    return aggregate


AGGREGATE = {d: aggregate_factory(d) for d in range(len(PATHS))}


@cuda.jit
def winner(total, disp):
    x, y = cuda.grid(2)
    if y < total.shape[0] and x < total.shape[1]:
        best = total[y, x, 0]
        arg = 0
        for d in range(1, D_MAX):
            if total[y, x, d] < best:
                best, arg = total[y, x, d], d
        if 0 < arg < D_MAX - 1:
            l, r = total[y, x, arg - 1], total[y, x, arg + 1]
            den = l - 2 * best + r
            disp[y, x] = arg + (0.5 * (l - r) / den if den != 0 else 0.0)
        else:
            disp[y, x] = arg


@cuda.jit
def lucas_kanade(I0, I1, flow):
    j, i = cuda.grid(2)
    if i < WIN + 1 or j < WIN + 1 or i >= I0.shape[0] - WIN - 1 or j >= I0.shape[1] - WIN - 1:
        return
    G = cuda.local.array((2, 2), float32)
    b = cuda.local.array(2, float32)
    for r in range(2):
        b[r] = 0
        for s in range(2):
            G[r, s] = 0
    for y in range(i - WIN, i + WIN + 1):
        for x in range(j - WIN, j + WIN + 1):
            gx = (I0[y, x + 1] - I0[y, x - 1]) * .5
            gy = (I0[y + 1, x] - I0[y - 1, x]) * .5
            gt = I1[y, x] - I0[y, x]
            G[0, 0] += gx * gx
            G[0, 1] += gx * gy
            G[1, 1] += gy * gy
            b[0] -= gx * gt
            b[1] -= gy * gt
    G[1, 0] = G[0, 1]
    det = G[0, 0] * G[1, 1] - G[0, 1] ** 2
    if abs(det) > 1e-6:
        flow[i, j, 0] = (G[1, 1] * b[0] - G[0, 1] * b[1]) / det
        flow[i, j, 1] = (G[0, 0] * b[1] - G[1, 0] * b[0]) / det


@cuda.jit
def hough(edges, votes, rho_step):
    x, y = cuda.grid(2)
    if y < edges.shape[0] and x < edges.shape[1] and edges[y, x]:
        for t in range(NTHETA):
            rho = x * COS[t] + y * SIN[t]
            r = int(round(rho / rho_step)) + votes.shape[0] // 2
            if 0 <= r < votes.shape[0]:
                cuda.atomic.add(votes, (r, t), 1)


@cuda.jit
def label_step(labels, changed):
    x, y = cuda.grid(2)
    H, W = labels.shape
    if x >= W or y >= H or labels[y, x] == 0: return
    low = labels[y, x]
    if y > 0 and 0 < labels[y-1, x] < low: low = labels[y-1, x]
    if x > 0 and 0 < labels[y, x-1] < low: low = labels[y, x-1]
    if y + 1 < H and 0 < labels[y+1, x] < low: low = labels[y+1, x]
    if x + 1 < W and 0 < labels[y, x+1] < low: low = labels[y, x+1]
    if low < labels[y, x]:
        cuda.atomic.min(labels, (y, x), low)
        changed[0] = 1


def main() -> None:
    H, W = 12, 20
    yy, xx = np.mgrid[:H, :W]
    right = ((np.sin(xx * 1.3) + np.cos(yy * 0.9 + xx)) * 50 + 120).astype(np.uint8)
    left = np.roll(right, 3, axis=1)
    cl, cr = np.zeros((2, H, W), np.uint32)
    bt = (8, 8); bg = ((W + 7) // 8, (H + 7) // 8)
    census5x5[bg, bt](left, cl); census5x5[bg, bt](right, cr)
    cost = np.zeros((H, W, D_MAX), np.int32)
    cost_volume[(*bg, 1), (8, 8, 8)](cl, cr, cost)
    total = np.zeros_like(cost)
    for d, kernel in AGGREGATE.items():
        kernel[H if d < 2 else W, D_MAX](cost, total)
    disp = np.zeros((H, W), np.float32)
    winner[bg, bt](total, disp)
    print(int(total.sum()), np.round(disp[6], 2).tolist())
    flow = np.zeros((H, W, 2), np.float32)
    lucas_kanade[bg, bt](right.astype("f4"), left.astype("f4"), flow)
    print(round(float(np.abs(flow).sum()), 2))
    votes = np.zeros((41, NTHETA), np.int32)
    hough[bg, bt](yy == xx // 2, votes, 1.0)
    print(int(votes.max()), int(votes.sum()))
    blobs = ((xx // 3 + yy // 2) % 2 * (np.arange(H * W).reshape(H, W) + 1)).astype(np.int32)
    rounds = 0
    while True:
        changed = np.zeros(1, np.int32)
        label_step[bg, bt](blobs, changed)
        rounds += 1
        if not changed[0]:
            break
    print(len(np.unique(blobs)) - 1)


if __name__ == "__main__":
    main()
