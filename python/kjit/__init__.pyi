"""kjit: GPU kernels in numba's dialect, on a GPU or the processor."""
import os
from collections.abc import Callable, Collection
from typing import Any

from kjit import cuda as cuda
from kjit import types as types
from kjit.errors import (
    ArgumentError as ArgumentError, CudaAPIError as CudaAPIError, CudaSupportError as CudaSupportError, Error as Error,
    FileError as FileError, InternalError as InternalError, OutOfMemoryError as OutOfMemoryError,
    TypingError as TypingError, UnsupportedError as UnsupportedError, of_status as of_status)
from kjit.groups import Group
from kjit.measured import Bench, Tuning
from kjit.modules import Kernels
from kjit.shown import Findings
from kjit.types import (
    int8 as int8, int16 as int16, int32 as int32, int64 as int64, uint8 as uint8, uint16 as uint16, uint32 as
    uint32, uint64 as uint64, float16 as float16, float32 as float32, float64 as float64, complex64 as
    complex64, complex128 as complex128, bfloat16 as bfloat16, boolean as boolean, bool_ as bool_, b1 as b1,
    i1 as i1, i2 as i2, i4 as i4, i8 as i8, u1 as u1, u2 as u2, u4 as u4, u8 as u8, f2 as f2, f4 as f4, f8 as
    f8, c8 as c8, c16 as c16, byte as byte, char as char, uchar as uchar, short as short, ushort as ushort,
    intc as intc, uintc as uintc, int_ as int_, uint as uint, long_ as long_, ulong as ulong, longlong as
    longlong, ulonglong as ulonglong, intp as intp, uintp as uintp, size_t as size_t, ssize_t as ssize_t,
    float_ as float_, double as double, from_dtype as from_dtype, none as none, optional as optional, typeof
    as typeof, void as void)
from kjit.ufuncs import guvectorize as guvectorize, vectorize as vectorize

__version__: str

def load(path: str | os.PathLike[str], **options: Any) -> Kernels: ...
def compile(text: str, name: str = ..., **options: Any) -> Kernels: ...
def open_group(devices: str | int | Collection[int] | None = ..., comm: Any = ..., share: bool = ...) -> Group: ...
def findings() -> Findings: ...
def bench(target: Any, *args: Any, **options: Any) -> Bench: ...
def tune(target: Any, **options: Any) -> Tuning: ...

# What the host has of numba's beside: functions as they are, in kernels compiled.
def jit(*args: Any, **options: Any) -> Any: ...
def njit(*args: Any, **options: Any) -> Any: ...
def jitclass(*args: Any, **options: Any) -> Any: ...
prange = range
config: Any
def literal_unroll(container: Any) -> Any: ...
