import inspect
import os
import tempfile
import warnings
from functools import singledispatch


def f(a, b=2, *args, c, d=4, **kw):
    """Doc.

        indented
    """


class C:
    def __init__(self, x, y=1):
        pass

    def m(self, z):
        pass


def g(p, /, q):
    pass


print(list(inspect.signature(f).parameters), [(q.name, q.default, int(q.kind)) for q in inspect.signature(f).parameters.values() if q.default is not q.empty])
print(list(inspect.signature(C).parameters), list(inspect.signature(C(1).m).parameters), list(inspect.signature(g).parameters), int(inspect.signature(g).parameters["p"].kind))
print(inspect.isfunction(f), inspect.isfunction(C), inspect.isclass(C), inspect.isfunction(3), inspect.ismethod(C(1).m), inspect.getdoc(f))


@singledispatch
def show(x):
    return "other"


@show.register
def _(x: int):
    return "int"


@show.register
def _(x: list):
    return "list"


print(show(1), show([1]), show("a"), show(True))
with warnings.catch_warnings(record=True) as ws:
    warnings.simplefilter("always")
    warnings.warn("old name", DeprecationWarning)
    warnings.warn("again")
print(len(ws), ws[0].category.__name__, ws[0].message, ws[1].category is UserWarning, str(ws[1].message))
fd, path = tempfile.mkstemp(suffix=".txt")
with os.fdopen(fd, "w") as h:
    h.write("text")
print(open(path).read(), path.endswith(".txt"), os.path.getsize(path))
os.remove(path)
fd, path = tempfile.mkstemp()
os.close(fd)
os.unlink(path)
try:
    os.close(9999)
except OSError as e:
    print(e)
