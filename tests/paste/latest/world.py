"""Kernels created in methods and closures over self's numbers."""
import math
import numpy as np
from numba import cuda, config, float32, int32, uint32, from_dtype, typeof
from numba.extending import register_jitable
import matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot as plt, animation, cm

particle = np.dtype([("x", "f4"), ("y", "f4"), ("vx", "f4"), ("vy", "f4"), ("m", "f4"), ("id", "i4")], align=True)
particle_t = from_dtype(particle)
cell = np.dtype([("count", np.int32), ("items", np.int32, (8,))])
NULL = -1
MAXP = 8


@register_jitable
def clampi(v, lo, hi):
    return max(lo, min(v, hi))


@cuda.jit(device=True)
def dist2(p, q):
    dx = p.x - q.x
    dy = p["y"] - q["y"]
    return dx * dx + dy * dy


class World:
    CELL = 0.1
    nx, ny = 10, 10
    damping: float = 0.999

    def __init__(self, n=1000, seed=42):
        self.n = n
        rs = np.random.RandomState(seed)
        p = np.zeros(n, particle)
        p["x"], p["y"] = rs.rand(2, n)
        p["m"] = 1
        self.p = cuda.to_device(p)
        self.cells = cuda.to_device(np.zeros((self.nx, self.ny), cell))

    @staticmethod
    @cuda.jit
    def fill(cells, ps):
        i = cuda.grid(1)
        if i >= ps.size:
            return
        cx = clampi(int(ps[i].x / World.CELL), 0, World.nx - 1)
        cy = clampi(int(ps[i].y / World.CELL), 0, World.ny - 1)
        c = cells[cx, cy]
        k = cuda.atomic.add(cells["count"], (cx, cy), 1)
        if k < MAXP:
            c["items"][k] = i

    @staticmethod
    @cuda.jit
    def collide(cells, ps, dt):
        i = cuda.grid(1)
        if i < len(ps):
            p = ps[i]
            ax = ay = float32(0)
            cx, cy = int(p.x / World.CELL), int(p.y / World.CELL)
            for ox in range(-1, 2):
                for oy in range(-1, 2):
                    gx, gy = cx + ox, cy + oy
                    if gx < 0 or gy < 0 or gx >= World.nx or gy >= World.ny: continue
                    for k in range(min(cells[gx, gy].count, MAXP)):
                        j = cells[gx, gy].items[k]
                        if j == i: continue
                        d2 = dist2(p, ps[j])
                        if 0 < d2 < World.CELL ** 2:
                            inv = 1 / math.sqrt(d2)
                            ax += (p.x - ps[j].x) * inv
                            ay += (p.y - ps[j].y) * inv
            p.vx = (p.vx + ax * dt) * World.damping
            p.vy = (p.vy + ay * dt) * World.damping

    def step(self, dt=0.01):
        nb = math.ceil(self.n / 128)
        self.fill[nb, 128](self.cells, self.p)
        self.collide[nb, 128](self.cells, self.p, dt)

    def make_move(self, dt=0.01):
        box = (0.0, 1.0)
        @cuda.jit
        def move(ps):
            i = cuda.grid(1)
            if i < ps.size:
                ps[i].x += ps[i].vx * dt
                ps[i].y += ps[i].vy * dt
                if not box[0] <= ps[i].x <= box[1]:
                    ps[i].vx = -ps[i].vx
                if not box[0] <= ps[i].y <= box[1]:
                    ps[i].vy = -ps[i].vy
        return move


@cuda.jit
def rng_fill(state, out, per):
    """pcg hash"""
    i = cuda.grid(1)
    s = state[i]
    for k in range(per):
        s = uint32(s * uint32(747796405) + uint32(2891336453))
        word = uint32(uint32((s >> uint32((s >> uint32(28)) + uint32(4))) ^ s) * uint32(277803737))
        word = uint32((word >> uint32(22)) ^ word)
        out[i * per + k] = float32(word) / float32(4294967296.0)
    state[i] = s

@cuda.jit
def prefix(x, out, totals):
    warp = cuda.shared.array(32, int32)
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    i = b * cuda.blockDim.x + t
    lane, w = t & 31, t >> 5
    v = x[i] if i < x.size else 0
    d = 1
    while d < 32:
        n = cuda.shfl_up_sync(0xffffffff, v, d)
        if lane >= d: v += n
        d <<= 1
    if lane == 31: warp[w] = v
    cuda.syncthreads()
    if w == 0:
        nw = (cuda.blockDim.x + 31) // 32
        s = warp[lane] if lane < nw else 0
        for d in (1, 2, 4, 8, 16):
            n = cuda.shfl_up_sync(0xffffffff, s, d)
            if lane >= d: s += n
        warp[lane] = s
    cuda.syncthreads()
    if w > 0: v += warp[w - 1]
    if i < x.size: out[i] = v
    if t == cuda.blockDim.x - 1: totals[b] = v

def animate(w):
    fig, ax = plt.subplots()
    sc = ax.scatter([], [], c=[], cmap=cm.viridis)
    def upd(k):
        w.step()
        h = w.p.copy_to_host()
        sc.set_offsets(np.c_[h["x"], h["y"]])
        return sc,
    return animation.FuncAnimation(fig, upd, frames=200, blit=True)

if __name__ == '__main__':
    assert config.CUDA_DEFAULT_PTX_CC
    animate(World()).save("w.mp4")
