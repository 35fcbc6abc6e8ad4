"""Kernels of .k files and of texts: kjit.load() and kjit.compile()."""
import os

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


class Kernels:
    """A module's kernels, as attributes and by their names."""

    def __init__(self, module, text):
        self._module, self._prints = module, "print(" in text

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
