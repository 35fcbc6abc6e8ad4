"""numba's types, as far as programs write them: in signatures, as dtypes, as casts.

Each prints as a .k file writes it, which is how libkjit gets it.
"""


class Type:
    """Two are the same if they print the same."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __call__(self, *args):
        return Signature(self, args)

    def __getitem__(self, axes):
        return Array.of_slices(self, axes)


class Number(Type):
    """A scalar type: called with types it is a signature's result, with a number a cast."""

    def __init__(self, name, numpy_name, bits):
        super().__init__(name)
        self.numpy_name, self.bitwidth = numpy_name, bits

    def __call__(self, *args):
        if len(args) == 1 and not isinstance(args[0], (Type, tuple)):
            return self.cast(args[0])
        return Signature(self, args)

    @property
    def underlying_float(self):
        """Of a complex type, that of its parts."""
        return NUMBERS[f"float{self.bitwidth // 2}"]

    def cast(self, value):
        if self.numpy_name is None:
            raise TypeError(f"{self.name} has no numbers on the host: kernels have")
        import numpy as np
        return np.asarray(value).astype(self.numpy_name)[()]


class Array(Type):
    """float32[:, ::1] and its like; `layout` is C, F or A."""

    def __init__(self, dtype, ndim, layout="C", readonly=False, aligned=True):
        axes = [":"] * ndim
        if layout != "A" and ndim:
            axes[-1 if layout == "C" else 0] = "::1"
        text = f"{dtype!r}[{', '.join(axes)}]"
        super().__init__(f"readonly({text})" if readonly else text)
        self.dtype, self.ndim, self.layout, self.mutable = dtype, ndim, layout, not readonly

    @classmethod
    def of_slices(cls, dtype, axes):
        axes = axes if isinstance(axes, tuple) else (axes,)
        whole = [axis.step == 1 for axis in axes if isinstance(axis, slice)]
        if len(whole) != len(axes) or sum(whole) > 1:
            raise TypeError(f"{dtype}[{axes}]: the axes of an array type are : or, one of them, ::1")
        layout = "C" if whole[-1] else "F" if whole[0] else "A"
        return cls(dtype, len(axes), layout)


class Tuple(Type):
    def __init__(self, items):
        items = tuple(items)
        super().__init__(f"Tuple(({''.join(f'{item!r}, ' for item in items)}))")
        self.types = items

    def __iter__(self):
        return iter(self.types)

    def __len__(self):
        return len(self.types)


class UniTuple(Tuple):
    """A tuple of items of one type."""

    def __init__(self, dtype, count):
        super().__init__((dtype,) * count)
        self.dtype, self.count = dtype, count


class Record(Type):
    """Of a structured dtype of NumPy's."""

    def __init__(self, dtype):
        from kjit.constants import record_text
        super().__init__(record_text(dtype))
        self.dtype = dtype


class Signature:
    """float32(float32, int32): a result and arguments."""

    def __init__(self, return_type, args):
        self.return_type, self.args = return_type, tuple(map(of, args))

    def __repr__(self):
        result = "" if self.return_type in (None, void) else repr(self.return_type)
        return f"{result}({''.join(f'{arg!r}, ' for arg in self.args)})"

    def __eq__(self, other):
        return isinstance(other, Signature) and repr(self) == repr(other)

    def __hash__(self):
        return hash(repr(self))


def optional(kind):
    return Type(f"optional({kind!r})")


def CPointer(dtype):
    kind = Type(f"CPointer({dtype!r})")
    kind.pointee = dtype
    return kind


class Time(Type):
    """NumPy's datetime64 and timedelta64, of a unit."""

    def __init__(self, name, code, unit):
        super().__init__(f"{name}({unit!r})")
        self.dtype_text, self.unit = f"{code}8[{unit}]" if unit else f"{code}8", unit


def NPDatetime(unit):
    return Time("NPDatetime", "M", unit)


def NPTimedelta(unit):
    return Time("NPTimedelta", "m", unit)


NUMBERS = {number.name: number for number in (
    *(Number(f"int{bits}", f"int{bits}", bits) for bits in (8, 16, 32, 64)),
    *(Number(f"uint{bits}", f"uint{bits}", bits) for bits in (8, 16, 32, 64)),
    *(Number(f"float{bits}", f"float{bits}", bits) for bits in (16, 32, 64)),
    Number("complex64", "complex64", 64),
    Number("complex128", "complex128", 128),
    Number("bfloat16", None, 16),
    Number("boolean", "bool", 8),
)}
globals().update(NUMBERS)
void = none = Type("void")

ALIASES = {
    "bool_": "boolean", "bool": "boolean", "b1": "boolean", "i1": "int8", "i2": "int16", "i4": "int32",
    "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64", "f2": "float16",
    "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128", "byte": "uint8",
    "char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "intc": "int32",
    "uintc": "uint32", "int_": "int64", "uint": "uint64", "long_": "int64", "ulong": "uint64",
    "longlong": "int64", "ulonglong": "uint64", "intp": "int64", "uintp": "uint64", "size_t": "uint64",
    "ssize_t": "int64", "float_": "float32", "double": "float64",
}
globals().update((alias, NUMBERS[name]) for alias, name in ALIASES.items() if alias != "bool")


def from_dtype(dtype):
    """The type of the elements of an array of NumPy's."""
    import numpy as np
    dtype = np.dtype(dtype)
    if dtype.names:
        return Record(dtype)
    if dtype.kind in "SU" and dtype.itemsize:
        return Type(f"UnicodeCharSeq({dtype.itemsize // 4})" if dtype.kind == "U" else f"CharSeq({dtype.itemsize})")
    if dtype.kind in "Mm":
        return (NPDatetime if dtype.kind == "M" else NPTimedelta)(np.datetime_data(dtype)[0])
    if dtype.name in NUMBERS or dtype.name == "bool":
        return NUMBERS["boolean" if dtype.name == "bool" else dtype.name]
    raise TypeError(f"kernels have no type for the dtype {dtype}")


def ours(thing):
    """Our type or signature for one of numba's, of a program that imports numba too; anything else as it is."""
    if type(thing).__module__.split(".")[0] not in ("numba", "numba_cuda"):
        return thing
    if hasattr(thing, "return_type") and hasattr(thing, "args"):
        return Signature(ours(thing.return_type), map(ours, thing.args))
    if hasattr(thing, "layout") and hasattr(thing, "ndim"):
        return Array(ours(thing.dtype), thing.ndim, thing.layout, not thing.mutable)
    if type(thing).__name__ == "Record":
        from numba.np.numpy_support import as_dtype
        return Record(as_dtype(thing))
    if hasattr(thing, "types"):
        return Tuple(map(ours, thing.types))
    name = str(thing)
    return void if name == "none" else NUMBERS.get(ALIASES.get(name, name), thing)


def of(kind):
    """What stands for a type in a signature: a type, a dtype, a tuple of such, or None."""
    kind = ours(kind)
    if isinstance(kind, Type):
        return kind
    if kind is None:
        return none
    if isinstance(kind, tuple):
        return Tuple(map(of, kind))
    if kind in (int, float, complex, bool):
        return NUMBERS[{int: "int64", float: "float64", complex: "complex128", bool: "boolean"}[kind]]
    return from_dtype(kind)


def dtype_of(kind):
    """NumPy's dtype for a type, a dtype, or whatever names one."""
    import numpy as np
    kind = ours(kind)
    if isinstance(kind, Number) and kind.numpy_name:
        return np.dtype(kind.numpy_name)
    if isinstance(kind, Record):
        return kind.dtype
    if isinstance(kind, Time):
        return np.dtype(kind.dtype_text)
    if isinstance(kind, Type):
        raise TypeError(f"NumPy has no dtype for {kind}")
    return np.dtype(kind)


def typeof(value):
    """numba.typeof() of numbers, arrays and tuples."""
    import numpy as np
    if isinstance(value, tuple):
        return Tuple(map(typeof, value))
    if isinstance(value, (bool, int, float, complex)):
        return of(type(value))
    if isinstance(value, np.generic):
        return from_dtype(value.dtype)
    dtype, shape = value.dtype, value.shape
    flags = getattr(value, "flags", None)
    of_numpy = flags is not None and not isinstance(flags, dict)
    rows = flags.c_contiguous if of_numpy else value.is_rows
    columns = flags.f_contiguous if of_numpy else value.is_columns
    readonly = of_numpy and not flags.writeable
    return Array(from_dtype(dtype), len(shape), "C" if rows else "F" if columns else "A", readonly)


def signature_text(signature):
    """A signature of the decorator's, as a .k file writes it."""
    if isinstance(signature, str):
        return signature
    signature = ours(signature)
    if isinstance(signature, tuple):
        signature = Signature(None, signature)
    if not isinstance(signature, Signature):
        raise TypeError(f"{signature!r} is no signature: write one as \"void(float32[:])\", "
                        f"void(float32[:]) or (float32[:],)")
    return repr(signature)


def signature(return_type, *args):
    """numba.typing.signature()."""
    return Signature(return_type, args)


def evaluated(text):
    """What a type or signature means that is written as a text."""
    names = {name: value for name, value in globals().items() if isinstance(value, Type) or value in MAKERS}
    names["bool"] = NUMBERS["boolean"]
    return eval(text, {"__builtins__": {}}, names)


MAKERS = (UniTuple, Tuple, Array, optional, CPointer, NPDatetime, NPTimedelta)


def parsed_args(signature):
    """The types of the arguments of a decorator's signature."""
    signature = evaluated(signature) if isinstance(signature, str) else ours(signature)
    return signature.args if isinstance(signature, Signature) else tuple(map(of, signature))


def types_of_call(text):
    """The types of a call as libkjit writes it, NAME(TYPES); the text itself where records are among them."""
    try:
        return parsed_args(f"({text[text.index('(') + 1:-1]},)" if text[-2:] != "()" else "()")
    except NameError:
        return text


signed_domain = frozenset(NUMBERS[f"int{bits}"] for bits in (8, 16, 32, 64))
unsigned_domain = frozenset(NUMBERS[f"uint{bits}"] for bits in (8, 16, 32, 64))
integer_domain = signed_domain | unsigned_domain
real_domain = frozenset(NUMBERS[f"float{bits}"] for bits in (32, 64))
complex_domain = frozenset(NUMBERS[name] for name in ("complex64", "complex128"))
number_domain = integer_domain | real_domain | complex_domain
