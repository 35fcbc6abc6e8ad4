"""The device that kernels run on: the one that is current, as numba has it.

KJIT_DEVICE in the environment says which: cpu, check, cuda, cuda:1; else it is the first GPU, and where
there is none the processor.
"""
import contextlib
import os
import threading

from kjit import _core
from kjit.checked import watch

_lock = threading.Lock()
_opened: dict = {}
_current = None
modules: dict = {}  # what was loaded from given texts for a context, so that equal texts share kernels
MODULES_KEPT = 512


def opened(name):
    """The context of a device, which is opened once: cuda and cuda:0 are one."""
    with _lock:
        if name not in _opened:
            context = _core.Context(name)
            if context.device not in _opened:
                watch(context)
            _opened[name] = _opened.setdefault(context.device, context)
        return _opened[name]


def current():
    """The current context; opens a device if none is."""
    global _current
    context = _current
    if context is None:
        context = _current = opened(os.environ.get("KJIT_DEVICE") or "auto")
        _core.use(context)
    return context


def use(name):
    """Makes another device the current one; kernels are made for it when they are launched next."""
    global _current
    context = opened(name)
    _current = context
    _core.use(context)
    return context


@contextlib.contextmanager
def instead(context):
    """A context in the place of the current one; what was loaded for it goes with it."""
    global _current
    before, _current = _current, context
    _core.use(context)
    try:
        yield context
    finally:
        _current = before
        _core.use(before)
        with _lock:
            for key in [key for key in modules if key[0] is context]:
                del modules[key]


def keep(key, module):
    """Keeps a module, in place of those that were loaded first."""
    with _lock:
        while len(modules) >= MODULES_KEPT:
            modules.pop(next(iter(modules)))
        modules[key] = module


def drop():
    """Forgets all contexts: they close when nothing of them is used any more."""
    global _current
    with _lock:
        _opened.clear()
        modules.clear()
        _current = None
        _core.use(None)
