"""Names that programs import from inside of numba.cuda.cudadrv.driver and numba.np.numpy_support."""
from kjit.driver import Device, Event, Stream, gpus  # noqa: F401
from kjit.errors import CudaAPIError, CudaSupportError  # noqa: F401
from kjit.stubs import Stub
from kjit.types import dtype_of as as_dtype, from_dtype  # noqa: F401


carray, farray = Stub("numba.carray"), Stub("numba.farray")


class Driver:
    """numba's driver object, as far as programs ask it for devices."""
    is_available = True

    def get_device(self, devnum=0):
        return gpus[devnum]

    def get_device_count(self):
        return len(gpus)


driver = Driver()
