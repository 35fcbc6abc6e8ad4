"""numba's cuda, by kjit.

What kernels use is in stubs.py, what the host uses stands here; what numba has and kjit has not raises,
and says what to write instead.
"""
from kjit import device as _device
from kjit.driver import (Event, Stream, close, current_context, default_stream, defer_cleanup, detect, event,
                         event_elapsed_time, external_stream, get_current_device, gpus, is_available,
                         legacy_default_stream, list_devices, per_thread_default_stream, pinned, profile_start,
                         profile_stop, profiling, require_context, select_device, stream, synchronize)
from kjit.errors import CudaAPIError, CudaSupportError
from kjit.dispatch import compile_ptx, compile_ptx as compile, compile_ptx as compile_for_current_device, \
    compile_ptx as compile_ptx_for_current_device, jit
from kjit.foreign import CUSource, Declared as declare_device
from kjit.stubs import cuda_stub as _cuda_stub

# Names whose module needs NumPy, which is imported when one of them is asked for.
_OF_ARRAYS = ("to_device", "device_array", "device_array_like", "pinned_array", "pinned_array_like", "mapped_array",
              "mapped_array_like", "managed_array", "is_cuda_array", "as_cuda_array", "In", "Out", "InOut",
              "from_cuda_array_interface")
_MODULES = ("random",)
_REFUSED = {
    "open_ipc_array": "arrays are not shared between processes",
    "mapped": "mapped_array() makes memory that kernels and the host see",
    "runtime": "the command `kjit doctor` says which versions of CUDA's libraries there are",
    "cudart": "kjit uses the driver: current_context() has what is there of it",
    "set_memory_manager": "kjit has a memory manager of its own",
    "intrinsic": "kjit's compiler is not extended in Python: write a device function",
    "extending": "kjit's compiler is not extended in Python: write a device function",
    "Linker": "link=[\"FILE.cu\"] in the decorator names sources",
}


def reduce(functor):
    """Makes a function that reduces arrays, of a function of two numbers."""
    from kjit.reduction import Reduce
    return Reduce(functor)


def is_supported_version():
    """Is the CUDA toolkit of a version that serves?"""
    return True


def is_bfloat16_supported():
    """Can kernels compute with 16-bit floats?"""
    return True


is_float16_supported = is_bfloat16_supported


def __getattr__(name):
    stub = _cuda_stub(name)
    if stub is not None:
        value = stub
    elif name in _OF_ARRAYS:
        from kjit import arrays
        value = getattr(arrays, name)
    elif name == "Reduce":
        from kjit.reduction import Reduce as value
    elif name == "cudadrv":
        from types import SimpleNamespace
        from kjit import arrays
        from kjit.numba import driver_names
        value = SimpleNamespace(devicearray=arrays, driver=driver_names, devices=driver_names)
    elif name == "devicearray":
        from kjit import arrays as value
    elif name in _MODULES:
        import importlib
        value = importlib.import_module(f"kjit.cuda.{name}")
    elif name in _REFUSED:
        raise NotImplementedError(f"cuda.{name}: {_REFUSED[name]}")
    elif name.startswith("__"):
        raise AttributeError(name)
    else:
        from kjit.numba.names import find  # types, vectorize: numba-cuda has them here, too
        value = find(name)
    globals()[name] = value
    return value


def __dir__():
    """With what is made when it is asked for: Python suggests a name of these for one that is misspelt."""
    from kjit.stubs import CUDA_NAMES
    return sorted({*globals(), *_OF_ARRAYS, *_MODULES, *CUDA_NAMES})
