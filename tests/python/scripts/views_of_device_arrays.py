import numpy as np
from numba import cuda


@cuda.jit
def increment(x, by):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] += by


host = np.arange(24, dtype=np.int32).reshape(4, 6)
d = cuda.to_device(host)
assert d.shape == (4, 6) and d.dtype == np.int32 and d.ndim == 2 and d.size == 24 and d.nbytes == 96
increment[1, 6](d[2], 100)
increment[1, 4](d[:, 1], 1000)
increment[1, 3](d.reshape(24)[::8], 5)
turned = d.T  # an array of its own
increment[1, 6](turned[:, 3], 7)
host[2] += 100
host[:, 1] += 1000
host.reshape(24)[::8] += 5
np.testing.assert_array_equal(d.copy_to_host(), host)
expected = host.T.copy()
expected[:, 3] += 7
np.testing.assert_array_equal(turned.copy_to_host(), expected)
d[0] = 3
d[1:3, 2:4] = np.array([[1, 2], [3, 4]])
host[0] = 3
host[1:3, 2:4] = [[1, 2], [3, 4]]
np.testing.assert_array_equal(d.copy_to_host(), host)
assert d[3, 5] == host[3, 5] and len(d) == 4
assert d.ravel().shape == (24,) and d[None, ..., 0].shape == (1, 4)
f = cuda.to_device(np.asfortranarray(host))
assert f.is_f_contiguous() and not f.is_c_contiguous()
np.testing.assert_array_equal(f.copy_to_host(), host)
d.copy_to_device(np.zeros((4, 6), np.int32))
assert not d.copy_to_host().any()
target = np.ones((4, 6), np.int32)
d.copy_to_host(target)
assert not target.any()
