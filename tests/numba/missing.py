"""Names that numba's simulator lacks, since it has no use for them; kernels of kjit's do.

What only kernels use is a Name, which paste.py writes down. What the host uses works on the simulator's
arrays, which are NumPy's.
"""
import contextlib
import io
import subprocess
import sys
import types as python_types

import numpy as np
from numba import cuda
from numba.cuda import intrinsics, random, stubs
from numba.cuda.kernels.reduction import Reduce
from numba.cuda.simulator import api
from numba.cuda.simulator.cudadrv import devicearray, devices, driver, libs
from numba.cuda.simulator.memory_management import nrt

from paste import Name

CACHE_HINTS = ("ldca", "ldcg", "ldcs", "ldlu", "ldcv", "stcg", "stcs", "stwb", "stwt")
COMPUTE_CAPABILITY = (9, 0)


class NameModule(python_types.ModuleType):
    """A module of which kernels use every name."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Name(self.__name__, name)


class Bindings(NameModule):
    """The module under which numba keeps what cuda.bf16 exports."""

    def __getattr__(self, name):
        super().__getattr__(name)
        return Name("numba.cuda.bf16", name.removeprefix("nv_"))


def put(module):
    path = module.__name__
    parent, _, last = path.rpartition(".")
    sys.modules[path] = module
    setattr(sys.modules[parent], last, module)


def name_modules():
    for path in ("bf16", "fp16", "_internal.cuda_fp8", "shared", "local", "const"):
        put(NameModule(f"numba.cuda.{path}"))
    put(Bindings("numba.cuda._internal.cuda_bf16"))
    for name in (*CACHE_HINTS, "bfloat16", "cg"):
        setattr(cuda, name, Name("numba.cuda", name))
    for module in (stubs, intrinsics):
        for name in set(dir(module)) - set(dir(cuda)):
            setattr(cuda, name, getattr(module, name))
    for module in (cuda, api):
        module.is_bfloat16_supported = module.is_fp8_supported = lambda: True
    devices._SIMULATOR_CC = COMPUTE_CAPABILITY


def host_names():
    """Of numba's driver and linker, as far as modules of tests ask for them when they are imported."""
    def absent(*_, **__):
        raise FileNotFoundError("the simulator has no libraries of CUDA's")

    libs.get_cudalib = libs.check_static_lib = absent
    nrt.get_include = absent
    cuda.HostOnlyCUDAMemoryManager = cuda.BaseCUDAMemoryManager = cuda.GetIpcHandleMixin = object
    device = python_types.SimpleNamespace(MAX_THREADS_PER_BLOCK=1024, compute_capability=COMPUTE_CAPABILITY)
    driver.driver.get_device = lambda *_: device


class Memory:
    """The memory of a device array."""

    def __init__(self, array):
        self.array = array

    def __eq__(self, other):
        return self.array.ctypes.data == other.array.ctypes.data


def device_nd_array(shape, strides, dtype, stream=0, gpu_data=None):
    shape = (shape,) if isinstance(shape, int) else shape
    return devicearray.FakeCUDAArray(np.ndarray(shape, dtype, gpu_data.array.data, 0, strides))


def is_device_array(value):
    return isinstance(value, devicearray.FakeCUDAArray)


def device_arrays():
    devicearray.FakeCUDAArray.gpu_data = property(lambda array: Memory(array._ary))
    devicearray.DeviceNDArray = device_nd_array
    cuda.is_cuda_array, cuda.as_cuda_array = is_device_array, lambda array, sync=True: array
    devicearray.from_array_like = lambda array, *_, **__: devicearray.FakeCUDAArray(np.empty_like(array))
    cuda.mapped_array_like = cuda.device_array_like
    cuda.reduce = cuda.Reduce = Reduce


def heap_statistics():
    """Kernels have no heap: nothing is allocated on it, and nothing is left."""
    none = python_types.SimpleNamespace(alloc=0, free=0, mi_alloc=0, mi_free=0)
    nrt.rtsys.get_allocation_stats = lambda *_: none
    for name in ("memsys_enable_stats", "memsys_disable_stats", "initialize"):
        setattr(nrt.rtsys, name, lambda *_: None)


def random_states(open_device):
    """The states are kjit's own: numba fills them in Python here, which takes minutes."""

    def init(states, seed, subsequence_start):
        open_device().fill_states(states, seed, subsequence_start)

    random.init_xoroshiro128p_states_cpu = init


def programs_in_this_process(is_running):
    """`python -c TEXT`, as tests start it for what kernels print, is run here if TEXT has kernels."""
    run_plain = subprocess.run

    def run(words, *args, text=False, **options):
        if not (is_running() and list(words[:2]) == [sys.executable, "-c"] and "cuda.jit" in words[2]):
            return run_plain(words, *args, text=text, **options)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as errors:
            exec(words[2], {"__name__": "__main__"})
        said = [stream.getvalue() if text else stream.getvalue().encode() for stream in (out, errors)]
        return subprocess.CompletedProcess(words, 0, *said)

    subprocess.run = run


def supply(open_device, is_running):
    name_modules()
    host_names()
    device_arrays()
    heap_statistics()
    random_states(open_device)
    programs_in_this_process(is_running)
