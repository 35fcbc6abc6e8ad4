from typing import Any, Iterator, overload

class Type:
    name: str
    def __init__(self, name: str) -> None: ...
    def __call__(self, *args: Any) -> Any: ...
    def __getitem__(self, axes: slice | tuple[slice, ...]) -> Array: ...

class Number(Type):
    numpy_name: str | None
    bitwidth: int
    def __init__(self, name: str, numpy_name: str | None, bits: int) -> None: ...
    @property
    def underlying_float(self) -> Number: ...
    def cast(self, value: Any) -> Any: ...

class Array(Type):
    dtype: Any
    ndim: int
    layout: str
    mutable: bool
    def __init__(self, dtype: Any, ndim: int, layout: str = ..., readonly: bool = ..., aligned: bool = ...) -> None: ...
    @classmethod
    def of_slices(cls, dtype: Type, axes: Any) -> Array: ...

class Tuple(Type):
    types: tuple[Type, ...]
    def __init__(self, items: Any) -> None: ...
    def __iter__(self) -> Iterator[Type]: ...
    def __len__(self) -> int: ...

class UniTuple(Tuple):
    dtype: Type
    count: int
    def __init__(self, dtype: Type, count: int) -> None: ...

class Record(Type):
    dtype: Any
    def __init__(self, dtype: Any) -> None: ...

class Time(Type):
    dtype_text: str
    unit: str
    def __init__(self, name: str, code: str, unit: str) -> None: ...

class Signature:
    return_type: Any
    args: tuple[Type, ...]
    def __init__(self, return_type: Any, args: Any) -> None: ...

def optional(kind: Type) -> Type: ...
def CPointer(dtype: Type) -> Type: ...
def NPDatetime(unit: str) -> Time: ...
def NPTimedelta(unit: str) -> Time: ...
def from_dtype(dtype: Any) -> Type: ...
def of(kind: Any) -> Type: ...
def dtype_of(kind: Any) -> Any: ...
def typeof(value: Any) -> Type: ...
def signature_text(signature: Any) -> str: ...
def signature(return_type: Any, *args: Any) -> Signature: ...
def evaluated(text: str) -> Any: ...
def parsed_args(signature: Any) -> tuple[Type, ...]: ...
def types_of_call(text: str) -> Any: ...

NUMBERS: dict[str, Number]
ALIASES: dict[str, str]
MAKERS: tuple[Any, ...]
signed_domain: frozenset[Number]
unsigned_domain: frozenset[Number]
integer_domain: frozenset[Number]
real_domain: frozenset[Number]
complex_domain: frozenset[Number]
number_domain: frozenset[Number]
void: Type
none: Type
int8: Number
int16: Number
int32: Number
int64: Number
uint8: Number
uint16: Number
uint32: Number
uint64: Number
float16: Number
float32: Number
float64: Number
complex64: Number
complex128: Number
bfloat16: Number
boolean: Number
bool_: Number
b1: Number
i1: Number
i2: Number
i4: Number
i8: Number
u1: Number
u2: Number
u4: Number
u8: Number
f2: Number
f4: Number
f8: Number
c8: Number
c16: Number
byte: Number
char: Number
uchar: Number
short: Number
ushort: Number
intc: Number
uintc: Number
int_: Number
uint: Number
long_: Number
ulong: Number
longlong: Number
ulonglong: Number
intp: Number
uintp: Number
size_t: Number
ssize_t: Number
float_: Number
double: Number
