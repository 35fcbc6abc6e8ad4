"""With annotations of every kind."""
from __future__ import annotations

import typing as t
from typing import TYPE_CHECKING, Callable, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt
from numba import cuda, types as nbt
from numba.cuda.cudadrv.devicearray import DeviceNDArray

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

T = TypeVar("T", bound="Base")
Array = npt.NDArray[np.float32]
type Pair[A, B = int] = tuple[A, B]
type Ints = list[int]

DT = np.float32
TILE: t.Final[int] = 32
ROWS: "int" = 8


class Base[S: (int, str), *Ts, **P](Generic[T]):
    slots: t.ClassVar[tuple[str, ...]] = ("a", "b")
    __slots__ = slots

    @overload
    def get(self, key: int) -> int: ...
    @overload
    def get(self, key: str) -> str: ...
    def get(self, key):
        return key


def first[U](xs: Sequence[U], *args: *tuple[int, ...], **kw: t.Any) -> U | None:
    return next(iter(xs), None)


@cuda.jit
def transpose(a: Array, out: Array) -> None:
    tile = cuda.shared.array(shape=(TILE, TILE + 1), dtype=DT)
    x: int = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    y: int = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        if x < a.shape[1] and y + j < a.shape[0]:
            tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = a[y + j, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        if x < out.shape[1] and y + j < out.shape[0]:
            out[y + j, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]


@cuda.jit
def scale(x: DeviceNDArray, factor: float, offset: t.Optional[int]) -> None:
    i: int = cuda.grid(1)
    if i < x.shape[0]:
        x[i] = x[i] * factor + offset


@cuda.jit
def fill(x: npt.NDArray[np.float64] | Array, value: "np.float32") -> None:
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] = value


def launch(kernel: Callable[..., None], *xs: Array) -> Iterator[Array]:
    grid, block = (lambda n: (n // 32 + 1, 32))(len(xs[0]))
    kernel[grid, block](*xs, **{})
    yield from xs
