"""Flocks, cloth, rigid circles and smoke: the demos of a game engine."""
import sys, os, math
import pygame as pg
import moderngl
from OpenGL.GL import *
from OpenGL import GL as gl
import numpy as np
from numba import cuda
from numba.cuda.cudadrv.devicearray import DeviceNDArray

SCREEN = WIDTH, HEIGHT = 64, 48
PARAMS = dict(
    radius=6.0,
    cohesion=.01, alignment=.125, separation=.05,
    vmax=3,
)
RADIUS2 = PARAMS["radius"] ** 2
COHESION, ALIGN, SEPARATE = (PARAMS[k] for k in ("cohesion", "alignment", "separation"))
VMAX = PARAMS.get("vmax", 1)
GRAVITY = (0.0, -9.81)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
PALETTE = np.array([[int(255 * abs(math.sin(k / 8 + ph))) for ph in (0, 2, 4)] for k in range(16)], np.uint8)


@cuda.jit
def boids(pos, vel, new):
    i = cuda.grid(1)
    if i < pos.shape[0]:
        n = 0
        cx = cy = vx = vy = sx = sy = 0.0
        for j in range(pos.shape[0]):
            dx, dy = pos[j, 0] - pos[i, 0], pos[j, 1] - pos[i, 1]
            d2 = dx * dx + dy * dy
            if j != i and d2 < RADIUS2:
                n += 1
                cx += dx; cy += dy
                vx += vel[j, 0]; vy += vel[j, 1]
                if d2 < RADIUS2 / 4:
                    sx -= dx; sy -= dy
        nx, ny = vel[i]
        if n:
            nx += COHESION * cx / n + ALIGN * (vx / n - nx) + SEPARATE * sx
            ny += COHESION * cy / n + ALIGN * (vy / n - ny) + SEPARATE * sy
        speed = math.hypot(nx, ny)
        if speed > VMAX:
            nx, ny = nx / speed * VMAX, ny / speed * VMAX
        new[i, 0], new[i, 1] = nx, ny


class Cloth:
    STRUCTURAL, SHEAR = 1.0, 2 ** .5
    OFFSETS = ((0, 1, STRUCTURAL), (1, 0, STRUCTURAL), (0, -1, STRUCTURAL), (-1, 0, STRUCTURAL),
               (1, 1, SHEAR), (-1, -1, SHEAR), (1, -1, SHEAR), (-1, 1, SHEAR))

    def __init__(self, n=8, stiffness=40.0):
        offsets, gravity = Cloth.OFFSETS, GRAVITY
        k = stiffness

        @cuda.jit
        def forces(x, v, f):
            i, j = cuda.grid(2)
            if i >= n or j >= n:
                return
            fx, fy = gravity
            for di, dj, rest in offsets:
                a, b = i + di, j + dj
                if 0 <= a < n and 0 <= b < n:
                    dx, dy = x[a, b, 0] - x[i, j, 0], x[a, b, 1] - x[i, j, 1]
                    length = math.sqrt(dx * dx + dy * dy)
                    fx += k * (length - rest) * dx / length
                    fy += k * (length - rest) * dy / length
            f[i, j, 0] = fx - 0.1 * v[i, j, 0]
            f[i, j, 1] = fy - 0.1 * v[i, j, 1]

        self.forces = forces
        self.x = np.stack(np.meshgrid(np.arange(n), np.arange(n) * 1.1, indexing="ij"), -1)
        self.v = np.zeros_like(self.x)


@cuda.jit
def colour(field, out):
    x, y = cuda.grid(2)
    if x < field.shape[0] and y < field.shape[1]:
        level = min(max(int(field[x, y] * 16), 0), 15)
        r, g, b = PALETTE[level]
        out[x, y] = (r, g, b) if level > 2 else (np.uint8(0), np.uint8(0), b)


@cuda.jit
def project(u, v, p, div, parity):
    i, j = cuda.grid(2)
    if 0 < i < p.shape[0] - 1 and 0 < j < p.shape[1] - 1 and (i + j) & 1 == parity:
        div[i, j] = (u[i + 1, j] - u[i - 1, j] + v[i, j + 1] - v[i, j - 1]) / 2
        p[i, j] = (p[i - 1, j] + p[i + 1, j] + p[i, j - 1] + p[i, j + 1] - div[i, j]) / 4


@cuda.jit
def collide(c, r, impulse):
    i = cuda.grid(1)
    if i >= r.size: return
    for j in range(r.size):
        if i == j: continue
        d = cuda.local.array(2, np.float64)
        for a in range(2): d[a] = c[i, a] - c[j, a]
        dist = math.sqrt(d[0] ** 2 + d[1] ** 2)
        depth = r[i] + r[j] - dist
        if depth > 0 and dist > 0:
            for a in range(2): impulse[i, a] += d[a] / dist * depth / 2


def run():
    pg.init()
    screen = pg.display.set_mode(SCREEN)
    while all(e.type != pg.QUIT for e in pg.event.get()):
        pg.surfarray.blit_array(screen, np.zeros((*SCREEN, 3)))
        pg.display.flip()


def main():
    rng = np.random.default_rng(8)
    pos, vel = rng.uniform(0, 20, (24, 2)), rng.normal(0, 2, (24, 2))
    new = np.zeros_like(vel)
    boids[1, 32](pos, vel, new)
    print(np.round(new.sum(axis=0), 8).tolist())
    cloth = Cloth()
    f = np.zeros_like(cloth.x)
    cloth.forces[(1, 1), (8, 8)](cloth.x, cloth.v, f)
    print(np.round(f[3, 3], 8).tolist(), round(f.sum(), 6))
    field, out = rng.random((6, 7)), np.zeros((6, 7, 3), np.uint8)
    colour[(1, 1), (8, 8)](field, out)
    print(int(out.sum()), out[2, 2].tolist())
    u, v, p, div = rng.random((4, 8, 8))
    for parity in (0, 1) * 3:
        project[(1, 1), (8, 8)](u, v, p, div, parity)
    print(round(p.sum(), 8))
    imp = np.zeros((24, 2))
    collide[1, 32](pos, np.full(24, 1.5), imp)
    print(round(abs(imp).sum(), 8))


if __name__ == "__main__":
    main()
