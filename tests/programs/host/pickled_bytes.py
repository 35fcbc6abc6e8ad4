import collections
import enum
import pickle
from collections import Counter, OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from hashlib import sha256
import numpy as np


class Kind(enum.Enum):
    A = 1
    LONG = "a longer value"


class Level(enum.IntEnum):
    LOW = 3


Pair = namedtuple("Pair", "a b")


@dataclass
class Point:
    x: float
    y: float
    tags: list


class Empty:
    pass


class Node:
    def __init__(self, name, parent=None):
        self.name, self.parent, self.me = name, parent, self


class Stateful:
    def __init__(self, state):
        self.state = state

    def __getstate__(self):
        return self.state


class Config(dict):
    pass


class Stack(list):
    pass


class Failure(ValueError):
    pass


def double(x):
    return 2 * x


def inner():
    return "a b", ("x", 1.5, (2, "y")), "name"


count = 0


def show(label, value, protocol=None):
    global count
    count += 1
    data = pickle.dumps(value, protocol)
    text = data.hex() if len(data) < 400 else f"{len(data)} {sha256(data).hexdigest()}"
    print(label, text)
    again = pickle.loads(data)
    if isinstance(value, (int, str, set, frozenset)):
        print(again == value)


joined = "".join(["na", "me"])
shared = [1, "two"]
deep = []
for _ in range(50):
    deep = [deep]
looped = [1]
looped.append(looped)
ring = ([], 2)
ring[0].append(ring)
long_ring = ([], 2, 3, 4)
long_ring[0].append(long_ring)
tree = {"name": "root"}
tree["self"] = tree
config = Config(a=1, b=[2])
config.extra = 2
stack = Stack([1])
full = Stack(range(1001))
failure = Failure("bad", 2)

values = [None, True, False, (), [], {}, set(), frozenset(), "", b"", bytearray(), bytearray(b"ab")]
for bits in (0, 1, 7, 8, 15, 16, 31, 32, 39, 40, 47, 48, 55, 56, 62):
    values += [1 << bits, (1 << bits) - 1, -(1 << bits), -(1 << bits) - 1]
values += [2 ** 62 - 1 + 2 ** 62, -2 ** 62 - 2 ** 62]
values += [0.0, -0.0, 1.5, -1e300, 5e-324, float("inf"), float("nan"), 1 + 2j, -0j]
values += ["a", "\u00e4", "\u0100", "text", "two words", "\u00e4\u20ac", "\U0001f600", "a\x00b", "x" * 255, "x" * 256,
           "\u00e4" * 127, "\u00e4" * 128, "x" * 65535, "x" * 65536, "\u20ac" * 30000, "z" * 70000]
values += [b"a", b"ab", b"\x00" * 255, b"\x00" * 256, b"q" * 65535, b"q" * 65536, b"q" * 70000]
values += [[1], [1, 2], [1, [2, [3]]], (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ((1, 2), (1, 2)), [(1, 2), (1, 2)],
           [(1, 2), (1.0, 2)], [("a", "a"), "a"], ["word", "word"], ["two words", "two words"], [b"bytes", b"bytes"],
           {"a": {"b": 1}}, {"a": 1}, {"a": 1, "b": 2}, {1: "x", 2.5: "y", (1, 2): "z"}, {1, 2, 3}, frozenset({3, 4}),
           {5}, [(), ()], [[], []], [{}, {}], ["", ""], [b"", b""], ["a", "abc"[0]], [None, None]]
values += [[joined, "name", joined], [joined, joined], inner(), [inner(), inner()], ["name", {"name": 1}, dict(name=2)],
           [shared, shared], (shared, [shared]), {"a": shared, "b": shared}, looped, ring, long_ring, tree, deep,
           [f"v{i % 2}" for i in range(6)], "a b c a".split()]
values += [list(range(n)) for n in (1000, 1001)]
values += [{i: i for i in range(n)} for n in (1000, 1001)]
values += [set(range(n)) for n in (1000, 1001)]
values += [frozenset(range(1001)), tuple(range(1001)), ["item %d" % i for i in range(300)],
           [[i] for i in range(300)] * 2, ["s" * i for i in range(0, 2000, 7)], [b"x" * 65536, 1, "y" * 65536, 2, 3], ["y" * 40000, "z" * 40000, "a", b"b" * 70000], list(range(256)) + [-1, 256, 65535, 65536, -129]]
values += [range(9), range(1, 9, 2), [range(3), range(3)], Kind.A, Kind.LONG, [Kind.A, Kind.A, Level.LOW], Level.LOW,
           Pair(1, "x"), [Pair(1, "a"), Pair("a", 2)], OrderedDict(), OrderedDict(a=1), OrderedDict(a=1, b=2),
           OrderedDict((i, i) for i in range(1000)), Counter(), Counter("aab"),
           defaultdict(list), defaultdict(list, {"k": [1]}), defaultdict(None, {1: 2}), ValueError("bad", 2), KeyError(), failure]
values += [Empty(), [Empty(), Empty()], Point(1.0, 2.5, ["x"]), [Point(0.5, 1.5, []), Point(0.0, 0.0, ["x", "y"])],
           Node("a", Node("b")), Stateful({}), Stateful(None), config, Config(), stack, Stack(), full,
           double, Node, int, [int, int, float, str], ValueError, [Node, Node("x")]]
values += [np.float32(1.5), np.int64(-3), np.bool_(True), np.float64(2.5), np.complex64(1j), np.uint8(7),
           np.dtype("f8"), np.dtype(np.int32), [np.dtype("f8"), np.dtype("i4"), np.dtype("f8")],
           [np.float32(1.5), np.float32(2.5), np.int64(1)]]
arrays = [np.arange(6), np.arange(6).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.zeros((0, 2), np.float32),
          np.array([True, False]), np.array([1j], np.complex64), np.uint8([1]), np.uint8([1, 255]), np.arange(16.0).reshape(4, 4)[:, ::2],
          np.array(2.5), np.arange(10000.0), [np.zeros(2), np.ones(2)], {"w": np.ones((2, 2)), "b": np.zeros(2, np.float32)},
          [np.float64(1), np.zeros(1)], [np.zeros(1, np.uint8), b"\x00"]]
for i, value in enumerate(values + arrays):
    show(i, value)
for value in arrays + [bytearray(), bytearray(b"ab"), bytearray(70000), [1, "a"], bytes(3)]:
    show("5", value, 5)
show("-1", [1, 2], -1)
both = [arrays[0], arrays[0]]
show("twice", both)
print(count)
