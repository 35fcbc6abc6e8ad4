"""kjit in numba's place: modules that `import numba` and its like find.

install() puts them there; what programs import of numba's inside is there as far as it concerns kernels.
"""
import ast
import builtins
import functools
import importlib.abc
import importlib.machinery
import linecache
import os
import sys
import types as python_types

from kjit.sources import FUTURES

VERSION = "0.61.0"  # of the numba whose names there are

# numba's modules that are kjit's, and those of which each name is for kernels alone.
OURS = {
    "numba.cuda": "kjit.cuda",
    "numba.types": "kjit.types",
    "numba.core.types": "kjit.types",
    "numba.cuda.types": "kjit.types",
    "numba.cuda.random": "kjit.cuda.random",
    "numba.core.errors": "kjit.errors",
    "numba.cuda.cudadrv.error": "kjit.errors",
    "numba.cuda.cudadrv.driver": "kjit.numba.driver_names",
    "numba.cuda.cudadrv.devices": "kjit.numba.driver_names",
    "numba.cuda.cudadrv.devicearray": "kjit.arrays",
    "numba.np.numpy_support": "kjit.numba.driver_names",
    "numba.cuda.np.numpy_support": "kjit.numba.driver_names",
    "numba.cuda.core.errors": "kjit.errors",
    "numba.cuda.core.config": "kjit.numba.config",
    "numba.cuda.config": "kjit.numba.config",
    "numba.core.config": "kjit.numba.config",
    "numba.config": "kjit.numba.config",
    "numba.cuda.args": "kjit.arrays",
    "numba.cuda.kernels.reduction": "kjit.reduction",
    "numba.cuda.kernels.transpose": "kjit.arrays",
    "numba.cuda.compiler": "kjit.dispatch",
    "numba.cuda.dispatcher": "kjit.dispatch",
    "numba.cuda.decorators": "kjit.dispatch",
}
OF_KERNELS = ("numba.cuda.libdevice", "numba.cuda.cg", "numba.cuda.fp16", "numba.cuda.bf16", "numba.cuda.fp8", "numba.cuda.atomic",
              "numba.cuda.shared", "numba.cuda.local", "numba.cuda.const", "numba.cuda.vector_types", "numba.cuda.stubs")
# Modules that lend the names of ours and are others: importing what lies in them changes nothing of ours.
LENT = {"numba.cuda.typing.templates": "kjit.types", "numba.cuda.typing": "kjit.types", "numba.cuda.typing.typeof": "kjit.types",
        "numba.core.typing": "kjit.types", "numba.core.typing.typeof": "kjit.types",
        "numba.experimental": "kjit", "numba.misc.special": "kjit", "numba.cuda.misc.special": "kjit"}
FOLDERS = ("numba.core", "numba.np", "numba.cuda.cudadrv", "numba.cuda.core", "numba.cuda.np", "numba.cuda.kernels",
           "numba.misc", "numba.cuda.misc")
SPAWNING = "multiprocessing.spawn"  # writes what a new process reads first, also for the start method forkserver


class Names(python_types.ModuleType):
    """A module whose names are looked up when they are read."""
    __path__: list = []

    def __init__(self, name, look_up):
        super().__init__(name)
        self.look_up = look_up

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.look_up(name)


def numba_names():
    import kjit
    from kjit.numba.names import public_names
    from kjit.cuda import __name__ as _  # numba.cuda is kjit.cuda

    def look_up(name):
        path = f"numba.{name}"
        return importlib.import_module(path) if path in LENT else getattr(kjit, name)

    module = Names("numba", look_up)
    module.__version__ = VERSION
    module.__all__ = public_names()
    return module


def kernel_names(path):
    from kjit.stubs import Stub, vectors
    if path == "numba.cuda.vector_types":
        return Names(path, lambda name: vectors() if name == "vector_types" else Stub(f"numba.cuda.{name}"))
    path = "numba.cuda" if path == "numba.cuda.stubs" else path
    return Names(path, lambda name: Stub(f"{path}.{name}"))


def has(name):
    """Is there a module in the place of numba's of that name?"""
    return name == "numba" or name in OURS or name in OF_KERNELS or name in LENT or name in FOLDERS


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules above, before the real numba."""

    def find_spec(self, name, path=None, target=None):
        if name == "numba" or name.startswith("numba."):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return handing_on(importlib.machinery.PathFinder.find_spec(name, path)) if name == SPAWNING else None

    def create_module(self, spec):
        if spec.name == "numba":
            return numba_names()
        if spec.name in OURS:
            return importlib.import_module(OURS[spec.name])
        if spec.name in LENT:
            ours = importlib.import_module(LENT[spec.name])
            return Names(spec.name, lambda name: getattr(ours, name))
        if spec.name in OF_KERNELS:
            return kernel_names(spec.name)
        if spec.name in FOLDERS:
            return python_types.ModuleType(spec.name)
        raise ModuleNotFoundError(f"kjit, which stands in for numba, has no {spec.name}", name=spec.name)

    def exec_module(self, module):
        pass


class Standing:
    """Unpickling one calls install(): in the process that reads it numba is kjit, too."""

    def __reduce__(self):
        return install, ()


def hand_on(spawning):
    """Puts a Standing in front of what multiprocessing sends a new process, to be read before modules are imported."""
    plain = spawning.get_preparation_data
    spawning.get_preparation_data = lambda name: {"numba": Standing(), **plain(name)}


def handing_on(spec):
    """The spec of multiprocessing.spawn with hand_on() called once it is imported."""
    plain = spec.loader.exec_module

    def exec_module(module):
        plain(module)
        hand_on(module)

    spec.loader.exec_module = exec_module
    return spec


def install():
    """From here on numba is kjit, and in processes of multiprocessing's."""
    if any(isinstance(finder, Finder) for finder in sys.meta_path):
        return
    remember_sources()
    if SPAWNING in sys.modules:
        hand_on(sys.modules[SPAWNING])
    for name in [name for name in sys.modules if name == "numba" or name.startswith("numba.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder())


NAMES: "dict[tuple[str, str], str]" = {}  # (text, the file's name that it was given): the file's name that linecache has it under


def remembered(text, file):
    """The name of a file in which linecache has the text: this one, or one like it where that has another text."""
    lines, key = text.splitlines(keepends=True), (text, file)
    if NAMES.get(key) not in linecache.cache:  # which may have been cleared
        is_free = not os.path.exists(file) and linecache.cache.get(file, (0, None, lines))[2:3] == (lines,)
        NAMES[key] = file if is_free else f"{file.rstrip('>')} {len(NAMES)}{'>' * file.endswith('>')}"
        linecache.cache[NAMES[key]] = len(text), None, lines, NAMES[key]
    return NAMES[key]


def remember_sources():
    """Functions that exec(), eval() and compile() make of a text can be kernels afterwards, as numba's can, which needs
    no source."""
    plain_exec, plain_eval, plain_compile = builtins.exec, builtins.eval, builtins.compile

    def made(text, file, mode, caller):
        return plain_compile(text, remembered(text, file), mode, caller.f_code.co_flags & FUTURES, True)

    def spaces(caller, names, own):
        """Those that the caller gave, or its own: of a function a copy of its variables, as these take it."""
        if names is not None:
            return names, names if own is None else own
        return caller.f_globals, caller.f_locals if isinstance(caller.f_locals, dict) else dict(caller.f_locals)

    @functools.wraps(plain_exec)
    def exec(code, /, globals=None, locals=None, **words):
        caller = sys._getframe(1)
        code = made(code, "<text>", "exec", caller) if isinstance(code, str) else code
        plain_exec(code, *spaces(caller, globals, locals), **words)

    @functools.wraps(plain_eval)
    def eval(code, /, globals=None, locals=None):
        caller = sys._getframe(1)
        code = made(code.strip(), "<text>", "eval", caller) if isinstance(code, str) and "lambda" in code else code
        return plain_eval(code, *spaces(caller, globals, locals))

    @functools.wraps(plain_compile)
    def compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **words):
        if isinstance(source, str) and isinstance(filename, str) and not (
                flags & ast.PyCF_ONLY_AST or os.path.exists(filename)):
            filename = remembered(source, filename)
        flags |= 0 if dont_inherit else sys._getframe(1).f_code.co_flags & FUTURES
        return plain_compile(source, filename, mode, flags, True, optimize, **words)

    builtins.exec, builtins.eval, builtins.compile = exec, eval, compile
