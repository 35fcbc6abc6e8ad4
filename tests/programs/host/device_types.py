"""A device array is no np.ndarray; what copies it to the host is one."""
import numpy as np
from numba import cuda


@cuda.jit
def scale(x, k):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= k


def to_gpu(x):
    if isinstance(x, np.ndarray):
        return cuda.to_device(x), True
    return x, False


def on_either(x, k):
    """Computes where the array lies, and leaves host arrays as they are."""
    d, copied = to_gpu(x)
    scale[1, 32](d, k)
    return d.copy_to_host() if copied else d


a = np.arange(4.0)
d = cuda.to_device(a)
print(isinstance(a, np.ndarray), isinstance(d, np.ndarray), isinstance(d, (list, np.ndarray)))
print(type(a) is np.ndarray, type(d) is np.ndarray, type(d) is type(cuda.device_array(3)))
print(type(d[1:]) is type(d), isinstance(d[:2], np.ndarray), isinstance(d.copy_to_host(), np.ndarray))
print(type(on_either(a, 3)) is np.ndarray, on_either(a, 3).tolist(), a.tolist())
print(type(on_either(d, 2)) is type(d), d.copy_to_host().tolist())
print([isinstance(x, np.ndarray) for x in (cuda.device_array_like(a), np.asarray(a), np.empty_like(a))])
