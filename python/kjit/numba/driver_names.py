"""Names that programs import from inside of numba.cuda.cudadrv.driver and devices, and numba.np.numpy_support."""
from kjit import _core
from kjit.driver import (Device, Event, Stream, close as reset, current_context as get_context, gpus,  # noqa: F401
                         require_context)
from kjit.errors import CudaAPIError, CudaSupportError  # noqa: F401
from kjit.stubs import Stub
from kjit.types import dtype_of as as_dtype, from_dtype  # noqa: F401


def __getattr__(name):
    if name == "numpy_version":
        import numpy as np
        return tuple(map(int, np.__version__.split(".")[:2]))
    raise AttributeError(name)


carray, farray = Stub("numba.carray"), Stub("numba.farray")


def device_memory_size(devmem):
    """Bytes of an array's elements."""
    return devmem.nbytes


host_memory_size = device_memory_size


def device_memset(dst, val, size, stream=0):
    """Sets the first bytes of an array without gaps."""
    whole = dst.reshape(-1).view("uint8")[:size]
    if is_device_memory(whole):
        whole.setitem(..., val, stream)
    else:
        whole[...] = val


def is_device_memory(obj):
    return isinstance(obj, _core.DeviceArray)


class Driver:
    """numba's driver object, as far as programs ask it for devices."""
    is_available = True

    def get_device(self, devnum=0):
        return gpus[devnum]

    def get_device_count(self):
        return len(gpus)


driver = Driver()
