"""A kernel of numba's as the text of a .k file: its source, and what it reads from around it.

Every function that the kernel reaches becomes a function of the module, every number, tuple, array,
dtype and enumeration a constant. What cannot be written so raises Unwritable, with the reason.
"""
import ast
import enum
import inspect
import re
import textwrap
import types as python_types

import numba
import numpy as np
from numba import types
from numba.cuda import stubs
from numba.cuda.simulator.vector_types import SimulatedVectorType

EVERYWHERE = ("literal_unroll", "carray", "farray")  # whatever module of numba's they come from
HEADER = "import math\nimport numpy as np\nfrom numba import *\nfrom numba import cuda, types\n"


class Unwritable(Exception):
    """What a .k file has no words for."""


class Name:
    """Something of numba's that only kernels use."""

    def __init__(self, module, name):
        self.__module__, self.__name__ = module, name


# ---- types and signatures ------------------------------------------------------------------------


def type_text(kind):
    if kind is None or kind is types.none:
        return "void"
    if isinstance(kind, types.Array):
        axes = [":"] * kind.ndim
        if kind.layout != "A":
            axes[-1 if kind.layout == "C" else 0] = "::1"
        return f"{type_text(kind.dtype)}[{', '.join(axes)}]"
    if isinstance(kind, types.BaseTuple):
        return f"Tuple(({''.join(type_text(item) + ', ' for item in kind)}))"
    if isinstance(kind, types.Boolean):
        return "boolean"
    if isinstance(kind, types.Number):
        return str(kind)
    if isinstance(kind, (types.NPDatetime, types.NPTimedelta)):
        return f"{type(kind).__name__}({kind.unit!r})"
    if isinstance(kind, types.CPointer):
        return f"CPointer({type_text(kind.dtype)})"
    if isinstance(kind, types.Record):
        fields = [f"{name}={type_text(field.type)} @ {field.offset}" for name, field in kind.fields.items()]
        return f"record({', '.join([str(kind.size), *fields])})"
    raise Unwritable(f"the type {kind} in a signature")


def signature_text(signature):
    if isinstance(signature, str):
        return signature
    result, args = None, signature
    if not isinstance(signature, tuple):
        result, args = signature.return_type, signature.args
    stands = "" if result is None or result is types.none else type_text(result)
    return f"{stands}({''.join(type_text(arg) + ', ' for arg in args)})"


def dtype_text(dtype):
    dtype = np.dtype(dtype)
    if dtype.subdtype:
        return f"({dtype_text(dtype.subdtype[0])}, {dtype.subdtype[1]!r})"
    if dtype.names:
        fields = [dtype.fields[name] for name in dtype.names]
        formats = ", ".join(dtype_text(field[0]) for field in fields)
        return (f"np.dtype(dict(names={list(dtype.names)!r}, formats=[{formats}], "
                f"offsets={[field[1] for field in fields]!r}, itemsize={dtype.itemsize}))")
    if dtype.kind in "MmSUVO":
        raise Unwritable(f"the dtype {dtype}")
    return "np.bool_" if dtype == bool else f"np.{dtype.name}"


def array_text(array):
    """A constant array; numbers that are not finite have no literals."""
    items = re.sub(r"\b(nan|inf)\b", r"float('\1')", repr(array.tolist()))
    return f"np.array({items}, {dtype_text(array.dtype)})"


def tuple_text(name, items):
    """A constant tuple of numbers and arrays."""
    texts = []
    for item in items:
        if isinstance(item, np.ndarray):
            texts.append(array_text(item))
        elif isinstance(item, (bool, int, float)):
            texts.append(repr(item))
        else:
            raise Unwritable(f"{name}, a tuple with a {type(item).__name__}")
    return f"({''.join(text + ', ' for text in texts)})"


# ---- the module -----------------------------------------------------------------------------------


def function_of(thing):
    """The Python function behind whatever numba wrapped it in, or None."""
    thing = getattr(thing, "fn", thing)
    thing = getattr(thing, "py_func", thing)
    return thing if isinstance(thing, python_types.FunctionType) else None


def definition(function):
    """The tree of a function whose text Python has kept, of a lambda too."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError) as error:
        raise Unwritable(f"{function.__name__}: {error}") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function.__code__.co_name:
            return node
    lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    if len(lambdas) != 1:
        raise Unwritable("one lambda among several of a line")
    return ast.FunctionDef(name="", args=lambdas[0].args, decorator_list=[], type_params=[],
                           body=[ast.Return(value=lambdas[0].body)])


def names_read(function, node):
    """What a function, and those inside it, read of what is around it."""
    codes, names = [function.__code__], set()
    for code in codes:
        codes += [inner for inner in code.co_consts if isinstance(inner, python_types.CodeType)]
        names.update(code.co_names, code.co_freevars)
    defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    names.update(leaf.id for default in defaults for leaf in ast.walk(default) if isinstance(leaf, ast.Name))
    return names & {leaf.id for leaf in ast.walk(node) if isinstance(leaf, ast.Name)}


class Paste:
    """The text of a module, as it grows."""

    def __init__(self):
        self.imports, self.parts, self.known = [], [], {}

    def text(self):
        return HEADER + "\n".join(dict.fromkeys(self.imports)) + "\n\n" + "\n\n".join(self.parts)

    def constant(self, name, text):
        if name != text and self.is_new(name, text):
            self.parts.append(f"{name} = {text}")

    def is_new(self, name, thing):
        """Has the module no such name yet? It cannot have two."""
        if name not in self.known:
            self.known[name] = thing
            return True
        if self.known[name] is not thing and not (isinstance(thing, str) and self.known[name] == thing):
            raise Unwritable(f"two things called {name}")
        return False

    def function(self, thing, name, decorator=None):
        function = function_of(thing)
        if not decorator:
            jitted = hasattr(thing, "decorator")
            decorator = thing.decorator(device=True) if jitted else "@cuda.jit(device=True)"
        if not self.is_new(name, function):
            return
        node = definition(function)
        used = names_read(function, node)
        node.name, node.decorator_list = name, []
        around = inspect.getclosurevars(function)
        names = {**function.__globals__, **around.globals, **around.nonlocals}
        for free in sorted(used - {name}):
            if free in names and not hasattr(function.__builtins__, free):
                self.value(free, names[free])
        self.parts.append(decorator + "\n" + ast.unparse(ast.fix_missing_locations(node)))

    def value(self, name, value):
        """What a function reads under a name that is not its own."""
        if isinstance(value, python_types.ModuleType):
            self.module(name, value.__name__)
        elif isinstance(value, Name):
            self.imports.append(f"from {value.__module__} import {value.__name__} as {name}")
        elif isinstance(value, np.generic):
            self.constant(name, f"np.{value.dtype.name}({value.item()!r})")
        elif value is None or isinstance(value, (bool, int, float, complex, str)):
            self.constant(name, f"float('{value}')" if value in (np.inf, np.nan) else repr(value))
        elif isinstance(value, np.ndarray):
            self.constant(name, array_text(value))
        elif isinstance(value, types.Record):
            self.constant(name, dtype_text(numba.np.numpy_support.as_dtype(value)))
        elif isinstance(value, types.Type):
            self.constant(name, type_text(value))
        elif isinstance(value, np.dtype):
            self.constant(name, dtype_text(value))
        elif isinstance(value, type):
            self.kind(name, value)
        elif isinstance(value, (np.ufunc, python_types.BuiltinFunctionType)):
            self.built_in(name, value)
        elif function_of(value):
            self.called(name, value)
        elif isinstance(value, tuple):
            self.constant(name, tuple_text(name, value))
        else:
            raise Unwritable(f"{name}, a {type(value).__name__}")

    def module(self, name, path):
        path = "numba.cuda" if path.startswith("numba.cuda.simulator") else path
        space, _, last = path.rpartition(".")
        self.imports.append(f"from {space} import {last} as {name}" if space else
                            f"import {last} as {name}")

    def built_in(self, name, value):
        module = getattr(value, "__module__", None) or "numpy"
        if module != "builtins":
            self.imports.append(f"from {module.lstrip('_')} import {value.__name__} as {name}")

    def called(self, name, value):
        module = function_of(value).__module__ or ""
        if module.startswith("numba.cuda.random"):
            self.imports.append(f"from numba.cuda.random import {value.__name__} as {name}")
        elif function_of(value).__name__ in EVERYWHERE and module.startswith("numba."):
            self.imports.append(f"from numba import {value.__name__} as {name}")
        elif module.startswith(("numba.cuda.tests", "numba.cuda.kernels", "__")):
            self.function(value, name)
        else:
            raise Unwritable(f"{module}.{name}")

    def kind(self, name, value):
        if issubclass(value, enum.Enum):
            base = "IntEnum" if issubclass(value, enum.IntEnum) else "Enum"
            self.imports.append(f"from enum import {base}")
            members = [f"    {key} = {item.value!r}" for key, item in value.__members__.items()]
            self.parts.append("\n".join([f"class {name}({base}):", *members]))
        elif issubclass(value, (SimulatedVectorType, stubs.Stub)):
            self.imports.append(f"from numba.cuda import {value.__name__} as {name}")
        elif issubclass(value, tuple):
            self.imports.append("from collections import namedtuple")
            self.constant(name, f"namedtuple({value.__name__!r}, {list(value._fields)!r})")
        elif issubclass(value, np.generic):
            self.constant(name, dtype_text(value))
        elif not issubclass(value, BaseException) and value.__module__ != "builtins":
            raise Unwritable(f"the class {name}")
