"""kjit in numba's place: modules that `import numba` and its like find.

install() puts them there; what programs import of numba's inside is there as far as it concerns kernels.
"""
import builtins
import importlib.abc
import importlib.machinery
import itertools
import linecache
import sys
import types as python_types

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


def remember_sources():
    """Functions that exec() makes of a text can be kernels afterwards, as numba's can, which needs no source."""
    numbers, exec_plain = itertools.count(), builtins.exec

    def exec_remembered(code, names=None, own=None, /, **words):
        if names is None:
            frame = sys._getframe(1)
            names, own = frame.f_globals, frame.f_locals
        if isinstance(code, str):
            file = f"<text {next(numbers)}>"
            linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
            code = compile(code, file, "exec")
        exec_plain(code, names, names if own is None else own, **words)

    builtins.exec = exec_remembered
