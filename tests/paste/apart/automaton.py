import numpy as np
from numba import cuda, int8, uint8, int32
import numba as nb
RULES = {"life": ((3,), (2, 3)), "highlife": ((3, 6), (2, 3)), "seeds": ((2,), ())}
def table(name):
    born, stay = RULES[name]
    t = np.zeros((2, 9), np.uint8)
    t[0, list(born)] = 1
    for n in stay: t[1, n] = 1
    return t
class Automaton:
    TILE = 8
    def __init__(self, name, shape, wrap=True):
        self.lut = table(name)
        self.shape, self.wrap = shape, wrap
        self.a = cuda.to_device((np.random.default_rng(1).random(shape) < .4).astype(np.uint8))
        self.b = cuda.device_array_like(self.a)
        self.step = self._compile(self.lut, self.TILE, wrap)
    @staticmethod
    def _compile(lut, T, wrap):
        S = T + 2
        @cuda.jit
        def step(src, dst):
            tile = cuda.shared.array((S, S), nb.uint8)
            x, y = cuda.grid(2)
            tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
            h, w = src.shape
            for dy in range(ty, S, T):
                for dx in range(tx, S, T):
                    gy, gx = cuda.blockIdx.y * T + dy - 1, cuda.blockIdx.x * T + dx - 1
                    if wrap:
                        tile[dy, dx] = src[gy % h, gx % w]
                    else:
                        tile[dy, dx] = src[gy, gx] if 0 <= gy < h and 0 <= gx < w else 0
            cuda.syncthreads()
            if x < w and y < h:
                n = -int32(tile[ty + 1, tx + 1])
                for dy in range(3):
                    for dx in range(3):
                        n += tile[ty + dy, tx + dx]
                dst[y, x] = lut[tile[ty + 1, tx + 1], n]
        return step
    def __call__(self, n=1):
        for _ in range(n):
            self.step[tuple((s + self.TILE - 1) // self.TILE for s in self.shape[::-1]), (self.TILE, self.TILE)](self.a, self.b)
            self.a, self.b = self.b, self.a
        return self
    def __len__(self): return int(self.a.copy_to_host().sum())
for name in RULES:
    for wrap in (True, False):
        print(name, wrap, len(Automaton(name, (21, 30), wrap)(6)))
