import json
from collections import ChainMap
from dataclasses import dataclass, field, asdict, astuple, replace, fields
from typing import Any, Callable, ClassVar, List, NewType, Optional, TypeVar, cast, overload
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
UserId = NewType("UserId", int)


@dataclass
class Run:
    n: int
    tags: List[str] = field(default_factory=list, repr=False)
    seed: int = field(default=1, compare=False)
    total: float = field(init=False)
    done: bool = field(default=False, init=False, repr=False)
    limit: ClassVar[int] = 9

    def __post_init__(self):
        self.total = self.n * 1.5


a, b = Run(3), Run(3, seed=2)
print(a, a == b, a.done, asdict(a), astuple(b), Run.limit, [f.name for f in fields(a)])
print(replace(a, n=4), a.tags is not b.tags)
for bad in (lambda: Run(1, [], 2, 3.0), lambda: Run(1, total=2.0), lambda: Run()):
    try:
        bad()
    except TypeError as e:
        print(type(e).__name__)


@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
    note: str = field(default="", compare=False)


vs = [Version(2, 1), Version(1, 9, "x"), Version(2), Version(1, 9)]
print(sorted(vs), max(vs), vs[1] == vs[3], vs[0] > vs[2], vs[0] <= vs[0], len(set(vs)), hash(vs[1]) == hash(vs[3]))
try:
    Version(1) < 3
except TypeError as e:
    print(e)


@dataclass(kw_only=True)
class Options:
    lr: float = 0.1
    steps: int


print(Options(steps=3), Options(steps=1, lr=2.0))
try:
    Options(1)
except TypeError as e:
    print("TypeError")


@dataclass
class Base:
    x: int = 1
    _hidden: int = 0


@dataclass
class Derived(Base):
    y: int = 2
    x: int = 5


print(Derived(), Derived(1, 2, 3))
try:
    @dataclass
    class Bad:
        items: list = []
except ValueError as e:
    print(e)


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, np.ndarray):
            return o.tolist()
        if isinstance(o, (np.integer, np.floating)):
            return o.item()
        if isinstance(o, Run):
            return {"run": o.n}
        return super().default(o)


print(json.dumps({"a": np.arange(3), "f": np.float32(1.5), "r": a, "i": np.int64(7)}, cls=Encoder))
print(json.dumps([np.ones(2)], cls=Encoder, indent=1), Encoder(sort_keys=True).encode({"b": 1, "a": 2}))
try:
    json.dumps({"c": 1j}, cls=Encoder)
except TypeError as e:
    print(e)
c = ChainMap({"a": 1}, {"a": 2, "b": 3})
c["z"] = 5
print(c["a"], c["b"], dict(c), {**c}, len(c), "b" in c, c.get("q"), c.parents, c.maps[0], sorted(c))
print(c.new_child({"b": 0})["b"], list(c.items()))
try:
    c["q"]
except KeyError as e:
    print("KeyError", e)


def deco(f: F) -> F:
    def wrapper(*args):
        return f(*args) + 1
    return cast(F, wrapper)


@deco
def twice(x):
    return 2 * x


@overload
def over(x: int) -> int: ...
def over(x):
    return x


print(twice(4), UserId(5) + 1, over(3), cast(int, "x"))
it = iter([1, 2, 0, 3])
print(list(iter(lambda: next(it), 0)), list(it))


def test_one():
    x, y = 1, 2
    return sorted(locals()), vars() == locals()


class TestBox:
    limit = 3

    def __init__(self):
        self.size = 1

    def test_a(self):
        return self.size


print(sorted(n for n in globals() if n.startswith("test")), globals()["a"] is a, test_one(), __name__ in ("__main__",))
print([n for n in dir(TestBox()) if not n.startswith("__")], [n for n in dir(TestBox) if n[0] != "_"], "__init__" in dir(TestBox))
