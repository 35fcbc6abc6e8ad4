"""numba-cuda's own tests, read from where it is installed, in a Python where kjit stands for numba.

prepare() puts them there: `numba.cuda.tests`, what they share and their table of libdevice are numba-cuda's files, numba
itself is what `python -m kjit` makes of it, and what the tests' modules import of numba's inside, which
kjit has not, is a Missing: they can be imported, and a test that uses one fails.
"""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import types as python_types

from kjit import sources
from kjit.numba import standing
from kjit.stubs import Stub

ROOT = pathlib.Path(importlib.util.find_spec("numba_cuda").submodule_search_locations[0]) / "numba/cuda"
OWN = ("numba.cuda.tests", "numba.cuda.testing", "numba.cuda.libdevicefuncs")
running = False  # a test is


class Used(Exception):
    """What a test asked of numba's inside."""


class Missing:
    """A name of numba's inside. Modules may decorate with it and build on it as they are imported."""

    def __init__(self, path):
        self._path = path
        self.__name__ = path.rpartition(".")[2]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self._path}.{name}")

    def __call__(self, *args, **words):
        if running:
            raise Used(f"{self._path}: kjit has none of it")
        return self

    def __mro_entries__(self, bases):
        return ()

    def __iter__(self):
        return iter(())

    def __repr__(self):
        return self._path


class Bindings(python_types.ModuleType):
    """numba's own module behind cuda.bf16 or cuda.fp8: kernels know its names by that one."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub(f"{BINDINGS[self.__name__]}.{name.removeprefix('nv_')}")


BINDINGS = {"numba.cuda._internal.cuda_bf16": "numba.cuda.bf16", "numba.cuda._internal.cuda_fp8": "numba.cuda.fp8"}


def missing(path):
    """A module of numba's, or a name in one."""
    file = ROOT.joinpath(*path.split(".")[2:])
    return importlib.import_module(path) if file.is_dir() or file.with_suffix(".py").exists() else Missing(path)


class MissingModule(python_types.ModuleType):
    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return missing(f"{self.__name__}.{name}")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The tests' files before kjit looks, placeholders for what it has not."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith(OWN):
            return self.find_file(name)
        if not name.startswith("numba.") or standing.has(name):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    @staticmethod
    def find_file(name):
        path = ROOT.joinpath(*name.split(".")[2:])
        is_folder = path.is_dir()
        path = path / "__init__.py" if is_folder else path.with_suffix(".py")
        if not path.exists():
            return importlib.machinery.ModuleSpec(name, Finder(), is_package=True) if is_folder else None
        return importlib.util.spec_from_file_location(name, path, loader=importlib.machinery.SourceFileLoader(name, str(path)),
                                                      submodule_search_locations=[str(path.parent)] if is_folder else None)

    def create_module(self, spec):
        return (Bindings if spec.name in BINDINGS else MissingModule)(spec.name)

    def exec_module(self, module):
        pass


def absent(*_, **__):
    raise FileNotFoundError("kjit has no libraries of CUDA's")


def lend_to(module, path):
    """Names that the module has not are Missings."""
    plain = getattr(module, "__getattr__", None)
    if hasattr(plain, "of_beside"):
        return

    def look_up(name):
        if plain:
            try:
                return plain(name)
            except (AttributeError, NotImplementedError):
                pass
        if name.startswith("__"):
            raise AttributeError(name)
        return missing(f"{path}.{name}")

    look_up.of_beside = True
    module.__getattr__ = look_up


class Heap:
    """Statistics of numba's heap, which kernels of kjit have not: nothing lies there."""

    def __getattr__(self, name):
        Counts = python_types.SimpleNamespace
        return lambda *_: Counts(alloc=0, free=0, mi_alloc=0, mi_free=0)


def lend_names():
    """Names that kjit's modules refuse or have not, as Missings; what decides whether tests are skipped."""
    for path in standing.OURS:
        lend_to(importlib.import_module(path), path)
    from numba.cuda import utils
    from numba.cuda.memory_management import nrt
    nrt.rtsys = Heap()
    from numba.cuda.cudadrv import driver, libs
    utils.PYVERSION = sys.version_info[:2]
    driver._have_nvjitlink = lambda: True
    libs.get_cuda_include_dir = absent


class Interpreter(subprocess.Popen):
    """`python -c TEXT`, as tests start it, is `python -m kjit -c TEXT`."""

    def __init__(self, words, *args, **options):
        if isinstance(words, list) and words[0] == sys.executable and "-c" in words:
            at = words.index("-c")
            words = [*words[:at], "-m", "kjit", *words[at:]]
        super().__init__(words, *args, **options)


def hand_on():
    """Processes that tests start by multiprocessing are prepared as this one is."""
    folder = str(pathlib.Path(__file__).resolve().parent)
    if folder not in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), folder]))
    standing.Standing.__reduce__ = lambda _: (prepare, ())


def prepare():
    standing.install()
    hand_on()
    plain = sources.is_built_in_module
    sources.is_built_in_module = lambda module: plain(module) and not module.__name__.startswith(OWN)
    subprocess.Popen = Interpreter
    sys.meta_path.insert(0, Finder())
    lend_names()
    from numba.cuda import testing
    testing.skip_if_cudadevrt_missing = lambda test: test
    testing.CUDATestCase._dump_failed_filechecks = False
