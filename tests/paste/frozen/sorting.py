#! /usr/bin/env python
import random, unittest
from numba import cuda
import numba.cuda as nc
import numpy as np

ASCENDING = True
SIZE = 1 << 10


@cuda.jit(device=True)
def compare_and_swap(values, a, b, up):
    if (values[a] > values[b]) == up:
        values[a], values[b] = values[b], values[a]


@cuda.jit
def bitonic(values, j, k):
    i = cuda.grid(1)
    ixj = i ^ j
    if ixj > i and ixj < values.size:
        compare_and_swap(values, i, ixj, (i & k) == 0)


@nc.jit
def odd_even(values, odd):
    i = 2 * nc.grid(1) + odd
    if i + 1 < values.size:
        compare_and_swap(values, i, i + 1, ASCENDING)


@cuda.jit
def bitonic_block(values):
    sh = cuda.shared.array(SIZE, dtype=nc.float32) if False else cuda.shared.array(SIZE, dtype='float32')
    t = cuda.threadIdx.x
    sh[t] = values[t]
    k = 2
    while k <= SIZE:
        j = k // 2
        while j > 0:
            cuda.syncthreads()
            ixj = t ^ j
            if ixj > t:
                compare_and_swap(sh, t, ixj, (t & k) == 0)
            j //= 2
        k *= 2
    cuda.syncthreads()
    values[t] = sh[t]


class TestSorting(unittest.TestCase):
    def setUp(self):
        random.seed(1)
        self.values = np.array([random.random() for _ in range(SIZE)], dtype=np.float32)

    def test_bitonic(self):
        d = cuda.to_device(self.values)
        k = 2
        while k <= SIZE:
            j = k >> 1
            while j:
                bitonic[SIZE // 256, 256](d, j, k)
                j >>= 1
            k <<= 1
        with self.subTest("sorted"), self.assertRaises(AssertionError):
            np.testing.assert_array_equal(d.copy_to_host(), np.sort(self.values)[::-1])

    @unittest.skipIf(not cuda.is_available(), 'no GPU')
    def test_block(self):
        bitonic_block[1, SIZE](self.values)


if __name__ == '__main__': unittest.main(verbosity=2)
