"""Kernels of .k files and of texts: kjit.load() and kjit.compile()."""
import os
import threading

from kjit import device


def defined(defines):
    """-D of the command: names, and values as expressions of the language."""
    from kjit.constants import text_of
    return tuple((name.encode(), (value if isinstance(value, str) else text_of(value, name)).encode())
                 for name, value in (defines or {}).items())


def text_of_file(path):
    """Of a module of the standard library nothing is looked for."""
    if path.startswith("std:"):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def schedule_text(schedule):
    """The directives: a text of them, a list of lines, or the path of a file that has them."""
    if schedule is None:
        return None
    if isinstance(schedule, os.PathLike):
        with open(schedule, encoding="utf-8") as file:
            return file.read()
    return schedule if isinstance(schedule, str) else "\n".join(schedule) + "\n"


def taken(found, owner):
    """What a program gave back: numbers and tuples as they are, arrays of the host as copies in NumPy's, arrays of the
    device, which are the arguments' own, as views."""
    if isinstance(found, tuple):
        return tuple(taken(item, owner) for item in found) or None
    if not isinstance(found, list):
        return found
    import numpy as np
    from kjit import arrays
    address, code, shape, strides, on_device = found
    laid = arrays.Laid(owner, address, shape, strides, arrays.dtype_of_code(code))
    if on_device:
        return arrays.DeviceNDArray.adopt(device.current(), laid)
    laid.__dict__.pop("__cuda_array_interface__", None)
    laid.__array_interface__ = laid.described
    return np.array(laid) if 0 not in shape else np.zeros(shape, arrays.dtype_of_code(code))


class Function:
    """A function of a file's host part: it runs in kjit, and works in the memory of the arrays that it is given."""

    def __init__(self, kernels, name):
        self._kernels, self.__name__ = kernels, name

    def __call__(self, *args):
        with self._kernels.calls:
            return self._kernels.program().call(self.__name__, args, lambda found: taken(found, args))

    def __repr__(self):
        return f"<kjit function {self.__name__}>"


class Kernels:
    """A module's kernels and its functions for the host, as attributes and by their names."""

    def __init__(self, module, text):
        self._module, self._prints = module, "print(" in text
        self._program = None
        self.calls = threading.RLock()  # what a call gives back has to be copied before the next one

    def program(self):
        """The file's host part; its level runs when something of it is first asked for."""
        if self._program is None:
            self._program = self._module.program()
        return self._program

    def value(self, name):
        """What a name of the module's level holds."""
        with self.calls:
            return taken(self.program().get(name), self)

    @classmethod
    def load(cls, name, text, texts=(), defines=None, debug=False, fastmath=False, max_registers=0, passes=None,
             device_name=None, matmul=None, schedule=None):
        context = device.opened(device_name) if device_name else device.current()
        texts = tuple((key.encode(), key.encode(), value.encode()) for key, value in dict(texts).items())
        module = context.load(name, text, defined(defines), texts, debug, fastmath, max_registers, passes,
                              matmul, schedule_text(schedule))
        return cls(module, text if text is not None else text_of_file(name))

    @classmethod
    def of_file(cls, path, device=None, **options):
        return cls.load(os.fspath(path), None, device_name=device, **options)

    @classmethod
    def of_text(cls, text, name, device=None, **options):
        return cls.load(name, text, device_name=device, **options)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._module.names() and self._module.has_function(name):
            function = self.__dict__[name] = Function(self, name)
            return function
        if name not in self._module.names():
            raise AttributeError(f"there is no kernel {name!r}; there are {', '.join(self._module.names()) or 'none'}")
        return self[name]

    def __getitem__(self, name):
        kernel = self._module.kernel(name)
        kernel.prints = self._prints
        self.__dict__[name] = kernel
        return kernel

    def __dir__(self):
        return [*super().__dir__(), *self._module.names()]

    def __iter__(self):
        return iter(self._module.names())

    def __repr__(self):
        return f"<kjit kernels {', '.join(self._module.names())}>"
