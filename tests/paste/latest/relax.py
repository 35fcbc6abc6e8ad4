# coding: latin-1
import numpy, math
from numba import *
from numba import cuda
import pylab
import numpy as np
from timeit import default_timer as timer
from optparse import OptionParser

bpg = 50
tpb = 32
n = bpg * tpb

@cuda.jit('void(float32[:,:], float32[:,:], float32[:,:])')
def cu_square_matrix_mul(A, B, C):
    sA = cuda.shared.array(shape=(tpb, tpb), dtype=float32)
    sB = cuda.shared.array(shape=(tpb, tpb), dtype=float32)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    bx = cuda.blockIdx.x
    by = cuda.blockIdx.y
    bw = cuda.blockDim.x
    bh = cuda.blockDim.y

    x = tx + bx * bw
    y = ty + by * bh

    acc = 0.
    for i in range(bpg):
        if x < n and y < n:
            sA[ty, tx] = A[y, tx + i * tpb]
            sB[ty, tx] = B[ty + i * tpb, x]

        cuda.syncthreads()

        if x < n and y < n:
            for j in range(tpb):
                acc += sA[ty, j] * sB[j, tx]

        cuda.syncthreads()

    if x < n and y < n:
        C[y, x] = acc

@cuda.jit('uint32(f8, f8, uint32)', device=True)
def mandel(x, y, max_iters):
    c = complex(x, y)
    z = 0.0j
    for i in range(max_iters):
        z = z*z + c
        if (z.real*z.real + z.imag*z.imag) >= 4:
            return i
    return max_iters

@cuda.jit('void(f8, f8, f8, f8, uint8[:,:], uint32)')
def mandel_kernel(min_x, max_x, min_y, max_y, image, iters):
    height = image.shape[0]
    width = image.shape[1]
    pixel_size_x = (max_x - min_x) / width
    pixel_size_y = (max_y - min_y) / height
    startX, startY = cuda.grid(2)
    gridX = cuda.gridDim.x * cuda.blockDim.x;
    gridY = cuda.gridDim.y * cuda.blockDim.y;
    for x in range(startX, width, gridX):
        real = min_x + x * pixel_size_x
        for y in range(startY, height, gridY):
            imag = min_y + y * pixel_size_y
            image[y, x] = mandel(real, imag, iters)

@cuda.jit("void(double[:,:], double[:,:], double[:,:])")
def jacobi_relax_core(A, Anew, error):
    err_sm = cuda.shared.array((tpb, tpb), dtype=f8)
    ty = cuda.threadIdx.x
    tx = cuda.threadIdx.y
    bx = cuda.blockIdx.x
    by = cuda.blockIdx.y
    n = A.shape[0]
    m = A.shape[1]
    i, j = cuda.grid(2)
    err_sm[ty, tx] = 0
    if j >= 1 and j < n - 1 and i >= 1 and i < m - 1:
        Anew[j, i] = 0.25 * ( A[j, i + 1] + A[j, i - 1] \
                            + A[j - 1, i] + A[j + 1, i])
        err_sm[ty, tx] = Anew[j, i] - A[j, i]
    cuda.syncthreads()
    t = tpb // 2
    while t > 0:
        if ty < t:
            err_sm[ty, tx] = max(err_sm[ty, tx], err_sm[ty + t, tx])
        t //= 2
        cuda.syncthreads()
    t = tpb // 2
    while t > 0:
        if tx < t and ty == 0:
            err_sm[ty, tx] = max(err_sm[ty, tx], err_sm[ty, tx + t])
        t //= 2
        cuda.syncthreads()
    if tx == 0 and ty == 0:
        error[by, bx] = err_sm[0, 0]

d_sum = cuda.jit(argtypes=[f4[:], f4[:], f4[:]])(lambda a, b, c: None) if False else None

def VecAdd(a, b, out):
    i = cuda.grid(1)
    if i > out.shape[0]:
        return
    out[i] = a[i] + b[i]
cu_vecadd = cuda.jit('void(f4[:], f4[:], f4[:])')(VecAdd)

class Timer:
    def __enter__(self): self.t = timer(); return self
    def __exit__(self, *a): print("%.3f s" % (timer() - self.t))

def main():
    parser = OptionParser()
    parser.add_option("-n", dest="n", type="int", default=100)
    (opts, args) = parser.parse_args()
    stream = cuda.stream()
    with Timer(), stream.auto_synchronize():
        dA = cuda.to_device(numpy.ones((n, n), numpy.float32), stream)
        cu_square_matrix_mul[(bpg, bpg), (tpb, tpb), stream](dA, dA, dA)
    pylab.imshow(numpy.zeros((1024, 1536), dtype=numpy.uint8)); pylab.show()

if __name__ == '__main__':
    main()
