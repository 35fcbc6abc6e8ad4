"""Device arrays in numba's way, over kjit's; what of them is NumPy's asks NumPy."""
import operator

import numpy as np

from kjit import _core, device
from kjit.types import dtype_of, from_dtype, typeof

DEVICE, PINNED, MAPPED, MANAGED = range(4)
_records = {}  # structured dtypes and their Records, which stay
_dtypes = {}  # and back, by identity


def native(dtype):
    """A dtype whose numbers are the machine's."""
    dtype = np.dtype(dtype)
    if not dtype.isnative:
        raise TypeError(f"{dtype} has numbers of another byte order than this machine's: "
                        f"astype() makes an array of {dtype.newbyteorder('=')}")
    return dtype


def record_of(dtype):
    """The Record of a structured dtype, or of texts of fixed length; None of bytes that are no record (ml_dtypes'
    numbers)."""
    dtype = native(dtype)
    texts = dtype.kind in "SU" and dtype.itemsize > 0
    if not dtype.names and not texts:
        return None
    key = str(dtype), dtype.itemsize
    if key not in _records:
        fields = []
        if texts:  # one field: their codes
            code = _core.DTYPES["uint32" if dtype.kind == "U" else "uint8"]
            size = 4 if dtype.kind == "U" else 1
            fields.append((b"<U" if dtype.kind == "U" else b"|S", code, 0, (dtype.itemsize // size,)))
        for name in dtype.names or ():
            inner, offset = dtype.fields[name][:2]
            fields.append((name.encode(), code_of(inner.base), offset, inner.shape))
        record = _core.Record(dtype.itemsize, tuple(fields))
        _dtypes[id(record)] = dtype
        if _records.setdefault(key, record) is not record:  # another thread was first
            del _dtypes[id(record)]
    return _records[key]


def code_of(dtype):
    """kjit's number of a dtype, or its Record."""
    dtype = native(dtype_of(dtype))
    if dtype.names or dtype.kind in "SU":
        return record_of(dtype)
    name = dtype.name
    if name == "float8_e4m3fn":
        name = "float8_e4m3"
    if name not in _core.DTYPES:
        raise TypeError(f"kernels have no type for the dtype {dtype}")
    return _core.DTYPES[name]


def dtype_of_code(code):
    """NumPy's dtype of kjit's number of one."""
    if code not in _dtypes:
        name = next((name for name, number in _core.DTYPES.items() if number == code), None)
        if name is None:
            raise NotImplementedError("an array of records comes back in an argument alone")
        if "8_e" in name or name == "bfloat16":
            import ml_dtypes
            name = getattr(ml_dtypes, "float8_e4m3fn" if name == "float8_e4m3" else name)
        _dtypes[code] = np.dtype(name)
    return _dtypes[code]


def numpy_dtype(array):
    """Of a DeviceArray."""
    return dtype_of_code(array.dtype_code) if array.record is None else _dtypes[id(array.record)]


class Memory:
    """Of an array, which stays as long; equal where it is the same."""

    def __init__(self, owner):
        self.owner, self.device_pointer, self.size = owner, owner.address, owner.nbytes

    def __eq__(self, other):
        return (self.device_pointer, self.size) == (getattr(other, "device_pointer", None), getattr(other, "size", None))

    def __hash__(self):
        return hash((self.device_pointer, self.size))


class Laid:
    """Elements that lie so in another's memory, as any library describes its arrays."""

    def __init__(self, owner, address, shape, strides, dtype):
        self.owner = owner
        self.described = {"version": 3, "shape": shape, "strides": strides, "typestr": dtype.str, "data": (address, False)}
        name = "__cuda_array_interface__" if device.current().device.startswith("cuda") else "__array_interface__"
        setattr(self, name, self.described)


def extents(shape):
    return tuple(map(operator.index, shape)) if hasattr(shape, "__iter__") else (operator.index(shape),)


class DeviceNDArray(_core.DeviceArray):
    """An array of the current device's memory."""
    __cuda_ndarray__ = True
    stream = 0  # in which its copies are made where none is named

    def __new__(cls, shape, strides, dtype, stream=0, gpu_data=None):
        """numba's way to make one: elements that lie so, in memory of their own or in that of `gpu_data`."""
        shape, dtype = extents(shape), native(dtype)
        strides = extents(strides) if strides is not None else np.empty(shape, dtype).strides
        if len(strides) != len(shape) or min(strides, default=0) < 0:
            raise ValueError(f"strides {strides} for the shape {shape}")
        span = dtype.itemsize + sum((extent - 1) * stride for extent, stride in zip(shape, strides)) if 0 not in shape else 0
        owner = gpu_data if gpu_data is not None else new(max(span, 1), np.uint8).gpu_data
        if owner.size < span:
            raise ValueError(f"the elements take {span} bytes, and there are {owner.size}")
        made = cls.adopt(device.current(), Laid(owner, owner.device_pointer, shape, strides, dtype))
        made.stream = stream
        return made

    @property
    def dtype(self):
        return numpy_dtype(self)

    @property
    def T(self):
        return self.transpose()

    @property
    def alloc_size(self):
        return self.nbytes

    @property
    def _numba_type_(self):
        return typeof(self) if self.ndim or not self.record else from_dtype(self.dtype)

    @property
    def gpu_data(self):
        return Memory(self)

    @property
    def flags(self):
        return {"C_CONTIGUOUS": self.is_rows, "F_CONTIGUOUS": self.is_columns}

    @property
    def device_ctypes_pointer(self):
        import ctypes
        return ctypes.c_void_p(self.address)

    def is_c_contiguous(self):
        return self.is_rows

    def is_f_contiguous(self):
        return self.is_columns

    def __len__(self):
        if not self.ndim:
            raise TypeError("len() of an array without axes")
        return self.shape[0]

    def __repr__(self):
        return f"<kjit device array of {self.dtype}{list(self.shape)} on {self.context.device}>"

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("`copy=False` is not possible: a device array is copied to be an array of NumPy's")
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    # ---- copies --------------------------------------------------------------------------------

    def copy_to_host(self, ary=None, stream=0):
        """The elements, in `ary` or a new array of NumPy's."""
        if ary is None:
            ary = np.empty(self.shape, self.dtype, order="F" if self.is_columns and not self.is_rows else "C")
        if isinstance(ary, np.void):  # one record of the host's
            return fill_record(ary, self.copy_to_host(stream=stream))
        self.check(ary)
        self.copy_between(ary, self, stream or self.stream)
        return ary

    def copy_to_device(self, ary, stream=0):
        """Takes the elements of a host array or another device array."""
        if not is_device_array(ary):
            ary = np.asarray(ary)
        if self.ndim != len(ary.shape):
            ary = ary.reshape(self.shape)
        self.check(ary)
        self.copy_between(self, ary, stream or self.stream)
        return self

    def bind(self, stream=0):
        """The same array, whose copies are made in that stream."""
        bound = self[...]
        bound.stream = stream
        return bound

    def check(self, other):
        same_dtype = np.dtype(other.dtype) == self.dtype
        if tuple(other.shape) != self.shape or not same_dtype:
            kind = ValueError if same_dtype else TypeError  # which numba tells apart
            raise kind(f"an array of {np.dtype(other.dtype)}{list(other.shape)} for one of "
                       f"{self.dtype}{list(self.shape)}")

    def split(self, section, stream=0):
        for begin in range(0, self.size, section):
            yield self[begin:begin + section]

    # ---- views ---------------------------------------------------------------------------------

    def reshape(self, *shape, order="C"):
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        if order == "F":
            return self.transpose_by().reshape_to(tuple(reversed(shape))).transpose_by()
        return self.reshape_to(tuple(shape))

    def ravel(self, order="C", stream=0):
        """The elements along one axis: a view where they lie so, else a copy."""
        by_columns = order == "F" or (order in "AK" and self.is_columns and not self.is_rows)
        rows = self.transpose_by() if by_columns else self
        return (rows if rows.is_rows else rows.copied(stream)).reshape_to((-1,))

    def copied(self, stream=0):
        """The elements in rows of a new array."""
        made = new(self.shape, self.dtype)
        made.copy_between(made, self, stream or self.stream)
        made.stream = self.stream
        return made

    def transpose(self, axes=None):
        """A new array, as numba's is; one whose axes stay as they are is the array itself."""
        if axes is not None and tuple(axes) == tuple(range(self.ndim)):
            return self
        return self.transpose_by(axes).copied()

    def squeeze(self, axis=None, stream=0):
        return self.squeeze_by(axis)

    def view(self, dtype):
        return self.view_as(code_of(dtype))

    def __getitem__(self, key):
        return self.getitem(key)

    def getitem(self, key, stream=0):
        """A part, which is what stands there; of one element a copy, of one record that on the device."""
        part = self.field(key) if isinstance(key, str) else self.part(key)
        whole = self.ndim if isinstance(key, str) else any(k is Ellipsis for k in as_tuple(key))
        return part if part.ndim or whole or part.dtype.names else part.copy_to_host(stream=stream)[()]

    def field(self, name):
        if name not in (self.dtype.fields or ()):
            has = f"has {', '.join(self.dtype.names)}" if self.dtype.names else "is of no records"
            raise ValueError(f"no field of name {name}: the array {has}")
        inner = self.dtype.fields[name][0].base
        return self.field_of(name, record_of(inner) if inner.names or inner.kind in "SU" else None)

    def part(self, key):
        rows = []
        for one in as_tuple(key):
            if one is None:
                rows.append(("new",))
            elif one is Ellipsis:
                rows.append(("rest",))
            elif isinstance(one, slice):
                rows.append(("span", one.start, one.stop, one.step))
            elif isinstance(one, (bool, np.bool_, list, np.ndarray)):
                raise NotImplementedError(f"a device array indexed by {one!r}: copy_to_host() first")
            else:
                rows.append(("at", operator.index(one)))
        try:
            return self.slice_by(tuple(rows))
        except ValueError as error:
            raise IndexError(str(error)) from error

    def __setitem__(self, key, value):
        self.setitem(key, value)

    def setitem(self, key, value, stream=0):
        part = self.field(key) if isinstance(key, str) else self.part(key)
        if not is_device_array(value):
            value = np.asarray(value).astype(self.dtype if not isinstance(key, str) else part.dtype)
            if value.ndim > part.ndim:
                raise unlike(value.shape, part.shape)
            try:
                value = np.broadcast_to(value, part.shape)
            except ValueError:
                raise unlike(value.shape, part.shape) from None
        elif tuple(value.shape) != part.shape:
            raise unlike(value.shape, part.shape)
        part.copy_between(part, value, stream)


def unlike(given, wanted):
    """That an array of one shape was given for another."""
    if len(given) > len(wanted):
        return ValueError(f"Can't assign {len(given)}-D array to {len(wanted)}-D self")
    axis = next((i for i, (a, b) in enumerate(zip(given, wanted)) if a != b), 0)
    return ValueError(f"Can't copy sequence with size {given[axis] if given else 1} to array axis {axis} with dimension "
                      f"{wanted[axis]}")


def fill_record(record, values):
    for name in record.dtype.names:
        record[name] = values[name]
    return record


def DeviceRecord(dtype, stream=0):
    """One record on the device: an array without axes."""
    return new((), dtype, "C", DEVICE, stream)


def from_record_like(rec, stream=0):
    return DeviceRecord(rec.dtype, stream)


def as_tuple(key):
    return key if isinstance(key, tuple) else (key,)


def is_device_array(value):
    return isinstance(value, _core.DeviceArray) or hasattr(value, "__cuda_array_interface__")


is_cuda_ndarray = is_device_array


def new(shape, dtype=np.float64, order="C", memory=DEVICE, stream=0):
    made = _core.DeviceArray.__new__(DeviceNDArray, device.current(), extents(shape), code_of(dtype), order == "F", memory,
                                     None)
    if stream:
        made.stream = stream
    return made


def layout_of(array):
    flags = getattr(array, "flags", None)
    if flags is not None and not isinstance(flags, dict):
        return "F" if flags.f_contiguous and not flags.c_contiguous else "C"
    return "F" if getattr(array, "is_columns", False) and not array.is_rows else "C"


def to_device(obj, stream=0, copy=True, to=None):
    """A new device array with the elements of a host array."""
    if to is not None:
        to.copy_to_device(obj, stream)
        return to
    if isinstance(obj, DeviceNDArray):
        return obj
    host = np.asarray(obj)
    made = new(host.shape, host.dtype, layout_of(host))
    if copy:
        made.copy_between(made, host, stream)
    return made


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    """A new array on the device, whose elements are not set."""
    if strides is not None:
        raise NotImplementedError("device_array(strides=...): make a larger array and take a slice of it")
    return new(shape, dtype, order, DEVICE, stream)


def like(make, ary):
    """A new array whose axes lie in memory in the order that those of `ary` do, without gaps."""
    order = sorted(range(len(ary.shape)), key=lambda axis: -abs(ary.strides[axis]))
    made = make([ary.shape[axis] for axis in order], ary.dtype)
    permute = getattr(made, "transpose_by", made.transpose)
    return permute([order.index(axis) for axis in range(len(order))]) if order != sorted(order) else made


def device_array_like(ary, stream=0):
    """A new array on the device, of the shape, dtype and order of axes of another."""
    return like(new, ary)


def host_view(memory, kind):
    """A function that makes host memory of one kind, seen as an array of NumPy's."""

    def make(shape, dtype=np.float64, strides=None, order="C", **_):
        if strides is not None:
            raise NotImplementedError("strides=: make a larger array and take a slice of it")
        made = new(shape, dtype, order, memory)
        return np.asarray(made).view(made.dtype)

    make.__doc__ = f"A new NumPy array in {kind} memory, whose elements are not set."
    return make


pinned_array, mapped_array, managed_array = map(host_view, (PINNED, MAPPED, MANAGED), ("pinned", "mapped", "managed"))


def pinned_array_like(ary):
    """A new array of pinned host memory, like another."""
    return like(pinned_array, ary)


def mapped_array_like(ary, stream=0, **_):
    """A new array of host memory that the device sees, like another."""
    return like(mapped_array, ary)


def from_array_like(ary, stream=0):
    return new(ary.shape, ary.dtype, layout_of(ary), DEVICE, stream)


def transpose(a, b=None):
    """The transpose of a device array with two axes, in `b` or a new array."""
    b = new(tuple(reversed(a.shape)), a.dtype) if b is None else b
    return b.copy_to_device(a.transpose_by())


def auto_device(obj, stream=0, copy=True, user_explicit=False):
    """(a device array of it, was one made?)"""
    if is_device_array(obj):
        return obj, False
    return to_device(obj, stream, copy), True


def verify_cuda_ndarray_interface(obj):
    if not isinstance(obj, _core.DeviceArray):
        raise ValueError("require an cuda ndarray object")


def is_cuda_array(obj):
    """Is it an array of the device, kjit's or another library's?"""
    return is_device_array(obj)


def as_cuda_array(obj, sync=True):
    """The array of another library, in the same memory."""
    if isinstance(obj, DeviceNDArray):
        return obj
    if not hasattr(obj, "__cuda_array_interface__") and not hasattr(obj, "__dlpack__"):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return DeviceNDArray.adopt(device.current(), obj)


class Described:
    """Memory of the device by its description, and what it belongs to."""

    def __init__(self, desc, owner):
        self.__cuda_array_interface__, self.owner = desc, owner


def from_cuda_array_interface(desc, owner=None, sync=True):
    """The array that a dict of __cuda_array_interface__ describes; `owner` stays as long as it."""
    if desc.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported: give the array and its mask as two arguments")
    return as_cuda_array(Described(desc, owner), sync)


def adopted(value):
    """The value, or what another library has on the device as a device array of kjit's."""
    return as_cuda_array(value) if is_device_array(value) else value


class Standing(list):
    """What stands for an object as an argument, and its class or what is called after the launch."""


def convert(value):
    """What stands for an object as an argument of a kernel; itself if nothing does."""
    import enum
    if isinstance(value, Moved):
        return value.argument()
    if isinstance(value, enum.Enum):
        return Standing([member_value(value), type(value)])
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return _core.Value(code_of(value.dtype), int(value.view(np.int64)))
    if isinstance(value, np.void) and value.dtype.names:
        copy = np.array(value)

        def back():
            for name in value.dtype.names:
                value[name] = copy[name]

        return Standing([copy, back])
    if isinstance(value, np.generic):
        return _core.Value(code_of(value.dtype), float(value))
    if hasattr(type(value), "__index__") and not isinstance(value, int):
        return operator.index(value)
    if isinstance(value, int):
        return int(value)
    return value


def member_value(member):
    """What stands for a member of an enumeration: its value, or for a text's the number of the first that has it."""
    return list(type(member).__members__).index(member.name) if isinstance(member.value, str) else member.value


def at_address(address, dtype):
    """The array that begins at an address; how long it is the kernel has to know."""
    kind = np.dtype(dtype)
    return DeviceNDArray.adopt(device.current(), Laid(None, address, (2**40,), (kind.itemsize,), kind))


class Moved:
    """cuda.In, Out and InOut: a host array, and which way it is copied."""

    def __init__(self, value):
        self.value = value

    def argument(self):
        return self.value


class In(Moved):
    """What a kernel writes to it does not come back."""

    def argument(self):
        return np.array(self.value)


class Out(Moved):
    """An argument that a kernel overwrites."""


class InOut(Moved):
    """An argument that a kernel reads and writes, as all are that are given without a wrapper."""


def wrap_arg(value, default=InOut):
    return value if isinstance(value, Moved) else default(value)


class Followed(Moved):
    """An argument, and what is to be called after the launch."""

    def __init__(self, value, calls):
        super().__init__(value)
        self.calls = calls

    def argument(self):
        return Standing([self.value, lambda: [call() for call in self.calls]])
