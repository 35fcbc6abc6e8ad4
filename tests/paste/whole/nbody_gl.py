# n-body with shared tiles, float4-like
from numba import cuda, float32, float64, int32, uint8
import numpy as np, math, sys, time

if len(sys.argv) > 1:
    N = int(sys.argv[1])
else:
    N = 64
EPS2 = np.float32(1e-3)
G = np.float32(6.674e-2)
TPB = np.int32(16)
f4 = float32
SOFT: float = float(EPS2)
NTILES = int(np.ceil(N / TPB))
VEC = (float32(0), float32(0), float32(0))


@cuda.jit("Tuple((float32, float32, float32))(Tuple((float32, float32, float32, float32)), Tuple((float32, float32, float32, float32)), Tuple((float32, float32, float32)))", device=True)
def body_body(bi, bj, ai):
    rx = bj[0] - bi[0]
    ry = bj[1] - bi[1]
    rz = bj[2] - bi[2]
    d2 = rx * rx + ry * ry + rz * rz + EPS2
    inv = bj[3] / (d2 * math.sqrt(d2))
    return ai[0] + rx * inv, ai[1] + ry * inv, ai[2] + rz * inv


@cuda.jit
def forces(pos, acc):
    sh = cuda.shared.array((TPB, 4), f4)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    me = (pos[i, 0], pos[i, 1], pos[i, 2], pos[i, 3])
    a = VEC
    for tile in range(NTILES):
        j = tile * TPB + t
        for k in range(4):
            sh[t, k] = pos[j, k]
        cuda.syncthreads()
        for k in range(TPB):
            a = body_body(me, (sh[k, 0], sh[k, 1], sh[k, 2], sh[k, 3]), a)
        cuda.syncthreads()
    acc[i, 0], acc[i, 1], acc[i, 2] = a


@cuda.jit("void(float32[:,:], float32[:,:], float32[:,:], float32)")
def kick_drift(pos, vel, acc, dt):
    i = cuda.grid(1)
    if i < pos.shape[0]:
        for k in range(3):
            vel[i, k] += G * acc[i, k] * dt
            pos[i, k] += vel[i, k] * dt


@cuda.jit
def colours(vel, rgba):
    i = cuda.blockDim.x * cuda.blockIdx.x + cuda.threadIdx.x
    if i < vel.shape[0]:
        s = math.sqrt(vel[i, 0] ** 2 + vel[i, 1] ** 2 + vel[i, 2] ** 2)
        level = min(255, int(s * 255))
        rgba[i, 0] = level
        rgba[i, 1] = 255 - level
        rgba[i, 2] = uint8(level // 2) ^ 0x0F
        rgba[i, 3] = ~uint8(0)


def animate():
    import pygame
    from pygame.locals import DOUBLEBUF, OPENGL
    pygame.init()
    while True:
        for event in pygame.event.get():
            match event.type:
                case pygame.QUIT | pygame.KEYDOWN:
                    return
                case _:
                    pass
