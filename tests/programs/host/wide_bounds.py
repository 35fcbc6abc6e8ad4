"""Random integers up to 64 bits, classes above exceptions, signatures as texts, globs in no folder."""
import numpy as np, inspect, pathlib
r = np.random.RandomState(5)
print(r.randint(0, 2**63, dtype=np.uint64), r.randint(0, 2**64, size=3, dtype=np.uint64), r.randint(2**62, 2**63, size=2, dtype=np.uint64), r.randint(0, 2**63, size=2))
np.random.seed(3)
print(np.random.randint(1, 2**64 - 1, size=(2, 2), dtype="uint64"), np.random.randint(0, 2**63))
g = np.random.default_rng(9)
print(g.integers(0, 2**64, dtype=np.uint64), g.integers(0, 2**63, size=2, dtype=np.uint64), g.integers(0, 2**64 - 1, endpoint=True, dtype=np.uint64, size=2), g.integers(5, 2**63 - 1), g.integers(0, np.iinfo(np.uint64).max, dtype=np.uint64), g.integers(np.uint64(2**63), 2**64, dtype=np.uint64))
for f in (lambda: r.randint(0, 2**64), lambda: r.randint(0, 2**64 + 1, dtype=np.uint64), lambda: r.randint(-1, 2**64, dtype=np.uint64), lambda: r.randint(0, 2**63 + 1), lambda: r.randint(0, 2**64, dtype=np.int32), lambda: r.randint(0, 2**70)):
    try: print(f())
    except ValueError as e: print(e)
class E1(ValueError): pass
print([c.__name__ for c in E1.__mro__], E1.__bases__, [c.__name__ for c in KeyError.__mro__], E1.__mro__)
def f(a, b=2, /, c=3, *args, d, e=5, **kw): pass
def g2(x, *, y=1): pass
print(inspect.signature(f), inspect.signature(g2), repr(inspect.signature(lambda: 0)), list(inspect.signature(f).parameters.values()))
print(list(pathlib.Path("/nowhere").glob("*")), list(pathlib.Path("/nowhere").rglob("*.x")))
