"""The names of numba's that `from kjit import ...` finds beside cuda."""
import importlib
import types as python_types

from kjit import errors, types

REFUSED = {
    "stencil": "write a kernel, or @guvectorize",
    "cfunc": "kjit compiles kernels alone",
    "objmode": "kjit compiles kernels alone",
    "overload": "kjit's compiler is not extended in Python: write a device function",
    "typed": "kernels have no heap: pass arrays",
}


def as_it_is(*args, **options):
    """numba's jit of the host: functions run as Python runs them, and kernels compile them; its classes are Python's."""
    if len(args) >= 1 and callable(args[0]) and not isinstance(args[0], types.Type):
        return with_itself(args[0])
    return with_itself


def with_itself(function):
    """The function, which programs also ask for as what numba has compiled."""
    if isinstance(function, python_types.FunctionType):
        function.py_func = function
    return function


def set_num_threads(n):
    """Does nothing: numba sets how many threads run loops of prange on the host, which kjit leaves to one."""


def get_num_threads():
    return 1


def public_names():
    """What `from numba import *` brings, as far as kjit has it."""
    elsewhere = {"float16", "bfloat16", "f2", "float_"}  # numba has them in modules of its own
    kinds = [name for name in (*types.NUMBERS, *types.ALIASES) if name not in elsewhere]
    return [*kinds, "void", "none", "optional", "from_dtype", "typeof", "jit", "njit", "prange", "vectorize", "guvectorize",
            "literal_unroll", "get_num_threads", "set_num_threads",
            *(name for name in vars(errors) if name.endswith(("Error", "Warning")))]


def find(name):
    """A type, or what else numba's top level has."""
    if name in types.NUMBERS or name in types.ALIASES or name in ("void", "none", "from_dtype", "typeof", "optional"):
        return getattr(types, name, None) or types.NUMBERS[types.ALIASES[name]]
    if name in ("jit", "njit", "jitclass"):
        return as_it_is
    if name in ("set_num_threads", "get_num_threads"):
        return globals()[name]
    if name.endswith(("Error", "Warning")) and hasattr(errors, name):
        return getattr(errors, name)
    if name in ("types", "cuda"):
        return importlib.import_module(f"kjit.{name}")
    if name == "config":
        return importlib.import_module("kjit.numba.config")
    if name == "prange":
        return range
    if name in ("vectorize", "guvectorize"):
        from kjit import ufuncs
        return getattr(ufuncs, name)
    if name == "literal_unroll":
        from kjit.stubs import Stub
        return Stub("numba.literal_unroll")
    if name in REFUSED:
        raise NotImplementedError(f"{name}: {REFUSED[name]}")
    raise AttributeError(f"kjit has no {name!r}")
