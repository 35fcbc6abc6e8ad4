"""kjit: GPU kernels in numba's dialect, on a GPU or the processor.

    from kjit import cuda, float32          in place of numba's
    hist = kjit.load("hist.k").histogram    kernels of a .k file: hist[64, 64](x, -4.0, 4.0, counts)
    python -m kjit script.py                runs a script of numba's as it is
"""
from kjit import _core
from kjit.errors import (ArgumentError, CudaAPIError, CudaSupportError, Error, FileError, InternalError,
                         OutOfMemoryError, TypingError, UnsupportedError, of_status)

__version__ = _core.VERSION


def _convert(value):
    from kjit import arrays
    return arrays.convert(value)


def _record(dtype):
    from kjit import arrays
    return arrays.record_of(dtype)


_core.hooks(error=of_status, convert=_convert, record=_record)


def load(path, **options):
    """The kernels of a file: load("hist.k").histogram[64, 64](x, ...). Options: defines={"TPB": 32}, debug, fastmath,
    max_registers, passes, matmul, schedule, device."""
    from kjit.modules import Kernels
    return Kernels.of_file(path, **options)


def compile(text, name="<text>", **options):
    """The kernels of a text; options as for load()."""
    from kjit.modules import Kernels
    return Kernels.of_text(text, name, **options)


def findings():
    """What the checker found so far in launches on the device `check`: a list of named tuples with rule, kernel,
    message, at, other, text and more."""
    from kjit.checked import findings as found
    return found()


def open_group(devices=None, comm=None, share=False):
    """Ranks that share launches: with open_group("all") as group: kernel[grid, block](x) is split over all GPUs. Without
    arguments the processes of mpirun or torchrun are the ranks; comm=mpi4py.MPI.COMM_WORLD."""
    from kjit.groups import open_group as open_it
    return open_it(devices, comm, share)


def bench(target, *args, **options):
    """Times a launch, bench(kernel[64, 64], x, y), or the kernels of a file, bench("hist.k"): an object that a notebook
    draws as a roofline."""
    from kjit.measured import bench as measure
    return measure(target, *args, **options)


def tune(target, **options):
    """Searches the configurations of a file's kernel, tune("matmul.k:product", budget="30s")."""
    from kjit.measured import tune as search
    return search(target, **options)


def __getattr__(name):
    import importlib
    if name.startswith("__"):
        raise AttributeError(name)
    value = globals()[name] = importlib.import_module("kjit.numba.names").find(name)
    return value
