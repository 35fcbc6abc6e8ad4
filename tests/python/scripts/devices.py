import io
from contextlib import redirect_stdout

import numpy as np
from numba import cuda

assert cuda.is_available()
with redirect_stdout(io.StringIO()) as text:
    assert cuda.detect()
assert "devices" in text.getvalue()
print(cuda.gpus)
assert len(cuda.gpus) >= 1
device = cuda.get_current_device()
assert device.MAX_THREADS_PER_BLOCK == 1024 and device.WARP_SIZE == 32 and device.MULTIPROCESSOR_COUNT > 0
assert device.compute_capability >= (5, 0)
for device in cuda.list_devices():
    with device.context:
        cuda.synchronize()
with cuda.gpus[0]:
    x = cuda.to_device(np.arange(3))
cuda.select_device(0)
free, total = cuda.current_context().get_memory_info()
assert 0 < free <= total
assert x.copy_to_host().tolist() == [0, 1, 2]
