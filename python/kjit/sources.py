"""A function of Python's as texts for libkjit: its source, and what it reads from around it.

Each function becomes a module of its own, which stands at its own lines of its own file, so that
messages name these, and in which the names around it are bound to what they are at that moment:
constants, built-in modules, and modules of the functions, classes and objects that it reads.
"""
import __future__
import ast
import builtins
import copy
import dis
import enum
import functools
import inspect
import linecache
import operator
import os
import sys
import time
import types as python_types

from kjit import _core
from kjit.constants import Unwritable, text_of
from kjit.errors import UndefinedName, raised

BUILT_IN = ("numba", "kjit", "math", "cmath", "operator", "numpy", "cupy")
HEADER = {"math": "import math", "np": "import numpy as np", "cuda": "from numba import cuda",
          "types": "from numba import types"}


STARTED = time.time()
COMMAND = "<string>"  # the name of its file, and of what exec() is given
ADVICE = {"<stdin>": "Python keeps no text of what it reads from its standard input: put it into a file, or run IPython"}
MOST_LINES = 10 ** 6  # of a file
FUTURES = functools.reduce(operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))


def header(own=None):
    """A line that binds what the texts of values use; it stands behind a function, whose own name it leaves alone."""
    return "; ".join(text for name, text in HEADER.items() if name != own)


def function_of(thing):
    """The Python function behind a kernel or what else wraps one, or None."""
    thing = getattr(thing, "py_func", thing)
    if isinstance(thing, (staticmethod, classmethod)):
        return function_of(thing.__func__)
    return thing if isinstance(thing, python_types.FunctionType) else None


def meaning(code):
    """What a code object does, wherever it stands: codes of one meaning are equal, and the texts that they are of alike."""
    constants = tuple(meaning(one) if isinstance(one, python_types.CodeType) else repr(one) for one in code.co_consts)
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def codes_in(code):
    """The code objects of everything that is defined in one."""
    for one in code.co_consts:
        if isinstance(one, python_types.CodeType):
            yield one
            yield from codes_in(one)


def was_changed(file):
    """Was the file written after kjit was imported? It may not be what its functions were made of."""
    try:
        return os.stat(file).st_mtime > STARTED
    except OSError:
        return False


def keep_command():
    """Gives linecache the text of `python -c`, as Python itself does from 3.13 on."""
    words = getattr(sys, "orig_argv", ["", ""])
    for option, text in zip(words[1:], words[2:]):
        if option[:1] == "-" and option[1:2] != "-" and option[-1] == "c" and COMMAND not in linecache.cache:
            linecache.cache[COMMAND] = len(text), None, (text + "\n").splitlines(True), COMMAND


class Definition:
    """A function's text: `lines` from line `first` of `file` on, and its tree."""

    def __init__(self, function, classes=None):
        self.classes = classes or {}
        self.function, self.file = function, inspect.getsourcefile(function) or function.__code__.co_filename
        linecache.checkcache(self.file)
        if self.file == COMMAND:
            keep_command()
        try:
            self.node = self.find_lambda() if function.__code__.co_name == "<lambda>" else self.find()
            doubtful = was_changed(self.file) or self.file == COMMAND
            if doubtful and function.__code__.co_firstlineno not in self.lines_of_its_like(self.tree()):
                raise OSError(f"line {self.node.lineno} of {self.file} is not what it was made of")
        except (OSError, SyntaxError) as error:
            advice = "the file was changed: import it anew" if was_changed(self.file) else ADVICE.get(self.file) or \
                "kernels are made of functions whose file is there, or of a text by kjit.compile(); python -m kjit keeps the " \
                "texts that exec() is given"
            raise Unwritable(f"{function.__qualname__}: its source cannot be read: {error}; {advice}") from error

    def at(self, name, error):
        """What is wrong with something that the function reads, with the place where it does."""
        if getattr(error, "placed", False):
            return error
        lines = (node.lineno for node in ast.walk(self.node) if isinstance(node, ast.Name) and node.id == name)
        placed = Unwritable(f"{self.file}:{next(lines, self.node.lineno)}: {error}")
        placed.placed = True
        return placed

    def undefined(self, name, names):
        """The exception for a name that the function reads and that is not among `names`, which are around it."""
        import difflib
        use = next((node for node in ast.walk(self.node) if isinstance(node, ast.Name) and node.id == name), self.node)
        known = (one for one in (*self.function.__code__.co_varnames, *names, *dir(builtins)) if one[0] != "_")
        near = difflib.get_close_matches(name, known, 1)
        text = f"{self.file}:{use.lineno}:{use.col_offset + 1}: error: {name!r} is not defined"
        text += f"; did you mean {near[0]!r}?" if near else ""
        line = linecache.getline(self.file, use.lineno).rstrip()
        if line:
            before = line.encode()[:use.col_offset].decode()
            margin = "".join("\t" if one == "\t" else " " for one in before)
            text += f"\n{use.lineno:5} | {line}\n      | {margin}^{'~' * (len(name) - 1)}"
        return UndefinedName(text)

    def tree(self):
        """Of the whole file or text."""
        return ast.parse("".join(inspect.findsource(self.function)[0]))

    def find(self):
        """Reads the lines of the function, and finds it in them."""
        lines, self.first = inspect.getsourcelines(self.function.__code__)  # not of what it wraps
        self.first = max(self.first, 1)
        text = "".join(lines)
        self.lines = text.splitlines()
        indented = text[:1].isspace()
        tree = ast.parse("if 1:\n" + text if indented else text)
        ast.increment_lineno(tree, self.first - 1 - indented)
        name = self.function.__code__.co_name
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
                return node
        raise OSError(f"there is no {name} at line {self.first} of {self.file}")

    def find_lambda(self):
        """Of several of a line that which is compiled to the function's code: for that each gets a line of its own."""
        first, tree = self.function.__code__.co_firstlineno, self.tree()
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda) and node.lineno == first]
        if len(nodes) > 1:
            for number, node in enumerate(nodes, MOST_LINES):
                node.lineno = node.end_lineno = number
                node.end_col_offset = node.col_offset
            nodes = [nodes[line - MOST_LINES] for line in self.lines_of_its_like(tree) if line >= MOST_LINES]
        if not nodes:
            raise OSError(f"it is none of the lambdas at line {first} of {self.file}")
        nodes[0].lineno = nodes[0].end_lineno = first
        return nodes[0]

    def lines_of_its_like(self, tree):
        """Where what does the same is in the tree, as a whole or, as in notebooks, each statement compiled alone."""
        own = self.function.__code__
        flags = own.co_flags & FUTURES | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        return [code.co_firstlineno for part in (tree, *(ast.Module([one], []) for one in tree.body))
                for code in codes_in(compile(part, self.file, "exec", flags, True))
                if code.co_name == own.co_name and meaning(code) == meaning(own)]

    @property
    def name(self):
        return "kernel" if isinstance(self.node, ast.Lambda) else self.node.name

    def place(self, decorator):
        """The text of a module in which the function stands at its own lines."""
        if isinstance(self.node, ast.Lambda):
            return self.place_lambda(decorator)
        start = self.node.lineno
        body = self.edited_lines()[start - self.first:]
        margin = body[0]
        margin = margin[:len(margin) - len(margin.lstrip())]
        before = self.own_decorator(decorator) or ([margin + decorator] if decorator else [])
        if margin:
            before.insert(0, "if True:")
        before = [""] * (start - 1 - len(before)) + before
        return "\n".join(before + body)

    def own_decorator(self, decorator):
        """The lines of the one decorator that the file has, if it says what `decorator` does: messages quote it."""
        if len(self.node.decorator_list) != 1 or not decorator:
            return []
        own, wanted = self.node.decorator_list[0], ast.parse(decorator[1:], mode="eval").body
        own = own if isinstance(own, ast.Call) else ast.Call(own, [], [])
        signatures = [one if isinstance(one, ast.List) else ast.List([one]) for one in own.args]
        if ast.unparse(ast.Call(own.func, signatures, own.keywords)) != ast.unparse(wanted):
            return []
        return self.lines[:self.node.lineno - self.first]

    def defaults(self):
        """[(expression, name that stands for its value, value)] of the parameters that have one, as they lie; not of those
        whose expression is the value: that of a lambda may be another's, and that of a file may have been changed."""
        args, function = self.node.args, self.function
        names = [arg.arg for arg in args.posonlyargs + args.args][-len(args.defaults):] if args.defaults else []
        rows = list(zip(names, args.defaults, function.__defaults__ or ()))
        rows += [(arg.arg, node, function.__kwdefaults__[arg.arg]) for arg, node in zip(args.kwonlyargs, args.kw_defaults)
                 if arg.arg in (function.__kwdefaults__ or ())]
        return [(node, f"_kjit_default_{name}", value) for name, node, value in rows
                if not (isinstance(node, ast.Constant) and repr(node.value) == repr(value))]

    def annotated(self):
        """[(parameter, name that stands for its class, class)] of those that are given namedtuples or members."""
        args = self.node.args
        return [(arg, f"_kjit_class_{arg.arg}", self.classes[arg.arg]) for arg in args.posonlyargs + args.args
                if arg.arg in self.classes]

    def raises(self):
        """[(name in a raise, exception of Python's)] of those whose class is the program's own: its nearest base that kernels
        know stands for it, and the line tells which it was."""
        names, rows = surroundings(self.function), []
        for node in ast.walk(self.node):
            name = node.exc.func if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) else getattr(node, "exc", None)
            kind = names.get(name.id) if isinstance(node, ast.Raise) and isinstance(name, ast.Name) else None
            if isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ != "builtins":
                base = next(base.__name__ for base in kind.__mro__ if base.__module__ == "builtins")
                raised[self.file, node.lineno] = kind, base
                rows.append((name, base))
        return rows

    def edits(self):
        """What is written otherwise: (line, column, end line, end column, text), as they lie. Names stand for what default
        values were when the function was defined; annotations say which namedtuples, and members of which enumerations, are given."""
        rows = [(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, name)
                for node, name in [*((node, name) for node, name, _ in self.defaults()), *self.raises()]]
        for arg, name, kind in self.annotated():
            begin = (arg.lineno, arg.col_offset + len(arg.arg.encode()))
            text = f": cuda.member({name})" if issubclass(kind, enum.Enum) else f": {name}"
            rows.append((*begin, arg.end_lineno, arg.end_col_offset, text))
        return sorted(rows)

    def edited_lines(self):
        lines = [line.encode() for line in self.lines]
        for line, column, end_line, end_column, text in reversed(self.edits()):
            begin, end = line - self.first, end_line - self.first
            head, tail = lines[begin][:column] + text.encode(), lines[end][end_column:]
            lines[begin:end + 1] = [head + tail] if begin == end else [head, *[b""] * (end - begin - 1), tail]
        return [line.decode() for line in lines]

    def place_lambda(self, decorator):
        standing = {id(node): ast.Name(name) for node, name, _ in self.defaults()}
        args = copy.copy(self.node.args)
        args.defaults = [standing.get(id(node), node) for node in args.defaults]
        args.kw_defaults = [standing.get(id(node), node) for node in args.kw_defaults]
        text = f"def {self.name}({ast.unparse(args)}): return {ast.unparse(self.node.body)}"
        before = [decorator] if decorator else []
        return "\n".join([""] * (self.node.lineno - 1 - len(before)) + before + [text])

    def names_read(self):
        """What the function, and those inside it, read of what is around it."""
        codes, names = [self.function.__code__], set(self.function.__code__.co_freevars)
        for code in codes:
            codes += [inner for inner in code.co_consts if isinstance(inner, python_types.CodeType)]
            names.update(step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL")
        return sorted(names)


def surroundings(function):
    """What names around a function stand for, now."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            pass
    return {**function.__globals__, **cells}


def is_built_in_module(module):
    """Does the compiler know it?"""
    return module.__name__.split(".")[0] in BUILT_IN


def is_built_in(function, name):
    names = function.__globals__.get("__builtins__", {})
    return name in names if isinstance(names, dict) else hasattr(names, name)


def private(value, attribute):
    """What Python calls the attribute __x of a class or of an object of one."""
    if attribute[:2] != "__" or attribute[-2:] == "__":
        return attribute
    return f"_{(value if isinstance(value, type) else type(value)).__name__.lstrip('_')}{attribute}"


def attributes_read(node, name):
    """{attribute: {further attributes}} of a name, as trees of what is read: a.b.c, a.d."""
    tree = {}
    for leaf in ast.walk(node):
        chain = []
        while isinstance(leaf, ast.Attribute):
            chain.append(leaf.attr)
            leaf = leaf.value
        if isinstance(leaf, ast.Name) and leaf.id == name:
            inner = tree
            for part in reversed(chain):
                inner = inner.setdefault(part, {})
    return tree


def class_lines(value):
    """The definition of an enumeration or a namedtuple; of other classes nothing."""
    if issubclass(value, enum.Enum):
        base = "IntEnum" if issubclass(value, int) else "Enum"
        members = [f"    {key} = {text_of(item.value, f'{value.__name__}.{key}')}" for key, item in value.__members__.items()]
        return [f"from enum import {base}", f"class {value.__name__}({base}):", *members]
    if issubclass(value, tuple) and hasattr(value, "_fields"):
        return ["from collections import namedtuple",
                f"{value.__name__} = namedtuple({value.__name__!r}, {list(value._fields)!r})"]
    return []


class Texts:
    """The modules of a kernel, as they are written: [name, file, text]."""

    def __init__(self):
        self.rows, self.known, self.keep = [], {}, []
        self.captured = []  # arrays of the device that something of these reads

    def function(self, function, decorator="", classes=None):
        """The module of a function, (its name, the function's name in it); `classes` are those of parameters that are
        given namedtuples."""
        key = id(function), decorator
        if key in self.known:
            return self.known[key]
        definition = Definition(function, classes)
        row = [f"_kjit_{len(self.rows)}", definition.file, ""]
        self.rows.append(row)
        self.known[key] = row[0], definition.name
        self.keep.append(function)  # for as long as its id() stands for it
        around = "\n".join(self.around(definition))
        if decorator and row is self.rows[0] and self.captured:
            decorator = with_captures(decorator, len(self.captured))
        row[2] = definition.place(decorator) + "\n" + around + "\n"
        return self.known[key]

    def capture(self, name, array):
        """Lines that bind a name to an array that launches give behind the kernel's own arguments."""
        number = next((i for i, one in enumerate(self.captured) if one is array), len(self.captured))
        if number == len(self.captured):
            self.captured.append(array)
        return ["from numba import cuda", f"{name} = cuda.captured({number})"]

    def around(self, definition):
        """Lines that bind what the function reads."""
        names, lines = surroundings(definition.function), [header(definition.name)]
        for name in definition.names_read():
            if name in names:
                try:
                    lines += self.bind(name, names[name], definition)
                except Unwritable as error:
                    raise definition.at(name, error) from error.__cause__
            elif not is_built_in(definition.function, name):
                raise definition.undefined(name, names)
        for _, name, value in (*definition.defaults(), *definition.annotated()):
            lines += self.bound(name, value, {})
        return lines

    def bind(self, name, value, definition):
        function = function_of(value)
        if function is definition.function:
            return [f"{name} = {definition.name}"] if name != definition.name else []
        return self.bound(name, value, attributes_read(definition.node, name))

    def bound(self, name, value, attributes):
        """Lines that bind a name; `attributes` are what is read of it."""
        path = getattr(value, "_kjit_path", None)
        if isinstance(path, str):
            space, _, last = path.rpartition(".")
            return [f"from {space} import {last} as {name}"]
        if isinstance(value, python_types.ModuleType) and is_built_in_module(value):
            return [self.built_in_module(name, value.__name__)]
        if isinstance(value, _core.DeviceArray) or hasattr(type(value), "__cuda_array_interface__") or \
                "__cuda_array_interface__" in getattr(value, "__dict__", ()):
            return self.capture(name, value)
        if hasattr(value, "declaration"):
            return [f"{name} = {value.declaration()}"]
        if type(value).__module__.split(".")[0] == "cffi" and type(value).__name__ == "FFI":
            return ["import cffi", f"{name} = cffi.FFI()"]
        if function_of(value):
            module, inside = self.function(function_of(value), decorator_of(value))
            return [f"from {module} import {inside} as {name}"]
        special = self.bound_class(name, value) if isinstance(value, type) else []
        special = special or self.bound_built_in(name, value)
        if special:
            return special
        if attributes and not hasattr(value, "dtype") and \
                not isinstance(value, (int, float, complex, tuple, str, enum.Enum)):
            return [f"import {self.namespace(value, attributes)} as {name}"]
        return self.bound_value(name, value)

    def bound_value(self, name, value):
        """Numbers, texts, members of enumerations, and what holds them."""
        classes = {}

        def class_name(kind):
            return classes.setdefault(kind, f"_kjit_class_{len(classes)}_{name}")

        text = text_of(value, name, class_name)
        lines = [line for kind, own in classes.items() for line in self.bound_class(own, kind)]
        return [*lines, f"{name} = {text}"] if text != name else []

    @staticmethod
    def built_in_module(name, path):
        parts = path.split(".")
        parts[0] = "numba" if parts[0] == "kjit" else parts[0]
        space, last = ".".join(parts[:-1]), parts[-1]
        return f"from {space} import {last} as {name}" if space else f"import {last} as {name}"

    def bound_class(self, name, value):
        """Enumerations, namedtuples and exceptions: each is of one module, from which others have it."""
        if issubclass(value, BaseException):
            return [" "]
        lines = class_lines(value)
        if not lines:
            return []
        if id(value) not in self.known:
            row = [f"_kjit_{len(self.rows)}", value.__name__, "\n".join(lines) + "\n"]
            self.rows.append(row)
            self.keep.append(value)
            self.known[id(value)] = row[0]
        return [f"from {self.known[id(value)]} import {value.__name__} as {name}"]

    @staticmethod
    def bound_built_in(name, value):
        """Functions of math, NumPy and their like."""
        module = getattr(value, "__module__", None)
        own = getattr(value, "__name__", None)
        if isinstance(value, python_types.BuiltinFunctionType) and module:
            return [f"from {module.lstrip('_')} import {own} as {name}"]
        if type(value).__name__ == "ufunc" or (module == "numpy" and callable(value) and not isinstance(value, type)):
            return [f"from numpy import {own} as {name}"]
        if isinstance(value, type) and module == "builtins":
            return [f"from builtins import {own} as {name}"]
        return []

    def namespace(self, value, attributes):
        """The module of what is read of a module, a class or an object; its name."""
        row = [f"_kjit_{len(self.rows)}", getattr(value, "__name__", type(value).__name__), ""]
        self.rows.append(row)
        self.keep.append(value)
        lines = [header()]
        for attribute, further in attributes.items():
            try:
                inner = getattr(value, attribute if hasattr(value, attribute) else private(value, attribute))
            except AttributeError as error:
                raise Unwritable(f"the kernel reads {error}") from error
            lines += self.bound(attribute, inner, further) or [f"from numba.types import {attribute}"]
        row[2] = "\n".join(lines) + "\n"
        return row[0]


def with_captures(decorator, count):
    """A kernel's decorator, with parameters behind its own for the arrays that it captures."""
    names = [f"_kjit_captured_{i}" for i in range(count)]
    return f"{decorator[:-1]}{'' if decorator.endswith('()') else ', '}captures={names!r})"


def decorator_of(value):
    """What stands above a function that a kernel calls."""
    decorator = getattr(value, "device_decorator", None)
    return decorator() if decorator else ""


def write(function, decorator, classes=None):
    """The texts of a kernel: (its name, its file, its text, the others as rows, the arrays that it captures)."""
    texts = Texts()
    module, name = texts.function(function, decorator, classes)
    main = next(row for row in texts.rows if row[0] == module)
    others = tuple(tuple(part.encode() for part in row) for row in texts.rows if row is not main)
    return name, main[1], main[2], others, tuple(texts.captured)
