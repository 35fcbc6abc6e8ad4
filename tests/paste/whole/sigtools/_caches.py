_numba_kernel_cache = {}
_cupy_kernel_cache = {}
