"""Values of Python's as the text of a .k file's constants."""
import enum
import math


LARGEST = 1 << 20  # the bytes of a constant array: the compiler's limit, found before the array becomes a text


class Unwritable(TypeError):
    """What kernels cannot read."""


def dtype_text(dtype):
    import numpy as np
    dtype = np.dtype(dtype)
    if dtype.subdtype:
        return f"({dtype_text(dtype.subdtype[0])}, {dtype.subdtype[1]!r})"
    if dtype.names:
        fields = [dtype.fields[name] for name in dtype.names]
        formats = ", ".join(dtype_text(field[0]) for field in fields)
        return (f"np.dtype(dict(names={list(dtype.names)!r}, formats=[{formats}], "
                f"offsets={[field[1] for field in fields]!r}, itemsize={dtype.itemsize}))")
    if dtype.kind in "Mm":
        return repr(dtype.str[1:])
    if dtype.kind in "SU" and dtype.itemsize:
        return repr(dtype.newbyteorder("=").str)
    if dtype.type.__module__ == "ml_dtypes" and dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        return f"np.{dtype.name}"
    if dtype.kind in "SUVO":
        raise Unwritable(f"kernels have no type for the dtype {dtype}")
    return "np.bool_" if dtype == bool else f"np.{dtype.name}"


def field_text(dtype):
    """A field's type as it stands inside of record()."""
    from kjit.types import from_dtype
    base, shape = dtype.base, dtype.shape
    text = record_text(base) if base.names else repr(from_dtype(base))
    return f"{text}[{', '.join(map(str, shape))}]" if shape else text


def record_text(dtype):
    fields = [f"{name}={field_text(dtype.fields[name][0])} @ {dtype.fields[name][1]}"
              for name in dtype.names]
    return f"record({', '.join([str(dtype.itemsize), *fields])})"


def number_text(value):
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, complex):  # 1-0j is 1+0j where it is read
        return f"complex({number_text(value.real)}, {number_text(value.imag)})"
    return repr(value)


def items_text(items):
    """What an array holds, or a record of it, as lists and tuples."""
    import numpy as np
    if isinstance(items, np.ndarray):
        items = list(items) if items.ndim and items.dtype.kind in "Mm" else items[()] if not items.ndim else items.tolist()
    if isinstance(items, list):
        return f"[{', '.join(map(items_text, items))}]"
    if isinstance(items, tuple):
        return f"({''.join(f'{items_text(item)}, ' for item in items)})"
    if isinstance(items, np.void):
        return items_text(items.item())
    return numpy_text(items) if isinstance(items, (np.datetime64, np.timedelta64)) else number_text(
        items.item() if isinstance(items, np.generic) else items)


def array_text(array):
    text = f"np.array({items_text(array)}, {dtype_text(array.dtype)})"
    return text if array.size else f"np.zeros({array.shape!r}, {dtype_text(array.dtype)})"


def numpy_text(value):
    """A scalar, an array or a dtype of NumPy's; None if it is none of these."""
    import numpy as np
    if isinstance(value, np.ndarray):
        return array_text(value)
    if isinstance(value, np.dtype):
        return dtype_text(value)
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return f"np.{type(value).__name__}({str(value)!r})" if isinstance(value, np.datetime64) else \
            f"np.timedelta64({value.astype(np.int64)}, {np.datetime_data(value.dtype)[0]!r})"
    if isinstance(value, np.generic) and not value.dtype.names:
        return f"{dtype_text(value.dtype)}({number_text(value.item())})"
    if isinstance(value, type) and issubclass(value, np.generic):
        return dtype_text(value)
    return None


def no_class(kind):
    raise Unwritable(f"a value of the class {kind.__name__}, which is written in Python: pass it as an argument")


def text_of_items(value, name, class_name):
    """What a tuple, a list or a dict holds."""
    if isinstance(value, dict):
        rows = [f"{text_of(key, name, class_name)}: {text_of(item, name, class_name)}" for key, item in value.items()]
        return f"{{{', '.join(rows)}}}"
    items = [text_of(item, name, class_name) for item in value]
    return f"[{', '.join(items)}]" if isinstance(value, list) else f"({''.join(i + ', ' for i in items)})"


def member_text(value, class_name):
    """The member of an enumeration, or the integer that flags make together."""
    return f"{class_name(type(value))}.{value.name}" if value.name in type(value).__members__ else repr(value.value)


def text_of(value, name, class_name=no_class):
    """The expression that gives the value; `name` is what the kernel calls it, class_name(class) what stands for an
    enumeration or a class of named tuples."""
    from kjit.types import Type, ours
    value = ours(value)
    if isinstance(value, (bool, int, float, complex)) and type(value).__module__ == "builtins":
        return number_text(value)
    if isinstance(value, enum.Enum):
        return member_text(value, class_name)
    if value is None or isinstance(value, (str, Type)):
        return repr(value)
    if isinstance(value, int):  # as CUDA's enumerations are
        return repr(int(value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return class_name(type(value)) + text_of_items(tuple(value), name, class_name)
    if isinstance(value, (tuple, list, dict)):
        return text_of_items(value, name, class_name)
    if not isinstance(value, type) and getattr(value, "nbytes", 0) > LARGEST:
        raise Unwritable(f"the kernel reads {name}, an array of {value.nbytes >> 10} KB: a constant array holds at most "
                         f"{LARGEST >> 10} KB; pass it as an argument")
    text = numpy_text(value) if type(value).__module__.split(".")[0] in ("numpy", "ml_dtypes") or \
        isinstance(value, type) else None
    if text is None and isinstance(value, type):
        raise Unwritable(f"the kernel makes objects of {name}: kernels have none; a namedtuple, a record or "
                         f"single arguments hold what they have")
    if text is None:
        raise Unwritable(f"the kernel reads {name}, a {type(value).__name__}: kernels read numbers, tuples, "
                         f"arrays of NumPy's, dtypes, functions and modules; pass it as an argument")
    return text
