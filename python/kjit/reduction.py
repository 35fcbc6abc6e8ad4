"""cuda.reduce: arrays to numbers by a function of two, as a kernel."""
import numpy as np

from kjit import arrays
from kjit.dispatch import jit

THREADS = 128


def kernels_of(function):
    from kjit import cuda

    @cuda.jit
    def reduce_parts(values, parts, count):
        shared = cuda.shared.array(128, parts.dtype)
        thread = cuda.threadIdx.x
        first = cuda.blockIdx.x * count
        last = min(first + count, values.size)
        total = values[min(first + thread, values.size - 1)]
        for i in range(first + thread + 128, last, 128):
            total = function(total, values[i])
        shared[thread] = total
        cuda.syncthreads()
        length = min(last - first, 128)
        while length > 1:
            half = (length + 1) // 2
            if thread + half < length:
                shared[thread] = function(shared[thread], shared[thread + half])
            cuda.syncthreads()
            length = half
        if thread == 0:
            parts[cuda.blockIdx.x] = shared[0]

    @cuda.jit
    def combine(values, init, res):
        res[0] = function(init, values[0])

    return reduce_parts, combine


class Reduce:
    """A function that reduces a 1-D array by an associative, commutative function of two numbers."""

    def __init__(self, functor):
        self._functor = getattr(functor, "py_func", functor)
        self.kernels = kernels_of(jit(self._functor, device=True))

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        if len(arr.shape) != 1:
            raise TypeError("only support 1D array")
        if size is not None:
            arr = arr[:size]
        if arr.shape[0] < 1:
            return init
        total = self.reduced(arr if arrays.is_device_array(arr) else arrays.to_device(arr), stream)
        if res is not None:
            self.kernels[1][1, 1, stream](total, arr.dtype.type(init), res[:1])
            return None
        first = total.copy_to_host()[0]
        return self._functor(init, first)

    def reduced(self, values, stream):
        while True:
            blocks = min(-(-values.shape[0] // THREADS), 64) if values.shape[0] > 8 * THREADS else 1
            count = -(-values.shape[0] // blocks)
            blocks = -(-values.shape[0] // count)
            parts = arrays.new(blocks, values.dtype)
            self.kernels[0][blocks, THREADS, stream](values, parts, np.int64(count))
            if blocks == 1:
                return parts
            values = parts
