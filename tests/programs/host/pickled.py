import copy
import enum
import io
import os
import pickle
import tempfile
from collections import Counter, OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
import numpy as np


@dataclass
class State:
    step: int
    field: np.ndarray
    meta: dict


class Kind(enum.Enum):
    A = 1


Pair = namedtuple("Pair", "a b")


class Node:
    def __init__(self):
        self.me = self
        self.items = [1]
        self.same = self.items


class Model:
    def __init__(self):
        self.w, self.cache = np.ones(2), "large"

    def __getstate__(self):
        return {"w": self.w}

    def __setstate__(self, state):
        self.w = state["w"]
        self.cache = "anew"


class Config(dict):
    pass


def double(x):
    return 2 * x


values = [None, True, False, 0, -5, 300, 70000, 2 ** 40, -2 ** 62, 1.5, float("inf"), 1 + 2j, "text", "ä€", "", b"raw\x00",
          bytearray(b"ab"), (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [1, [2]], {}, {"a": {"b": 1}}, {1, 2}, frozenset({3}),
          range(1, 9, 2), Kind.A, Pair(1, "x"), np.float32(1.5), np.int64(-3), np.bool_(True), np.float64(2.5), OrderedDict(a=1), Counter("aab"),
          defaultdict(list, {"k": [1]}), ValueError("bad", 2)]
for v in values:
    w = pickle.loads(pickle.dumps(v))
    print(repr(w), type(w).__name__, w == v if not isinstance(v, Exception) else w.args == v.args)
for a in (np.arange(6).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.zeros((0, 2), np.float32), np.array([True, False]),
          np.array([1j], np.complex64), np.uint8([1, 255])):
    b = pickle.loads(pickle.dumps(a))
    print(b.tolist(), b.dtype, b.shape, b.flags["F_CONTIGUOUS"] == a.flags["F_CONTIGUOUS"], b.flags.writeable)
s = pickle.loads(pickle.dumps(State(3, np.eye(2), {"t": [1]}), protocol=pickle.HIGHEST_PROTOCOL))
print(s.step, s.field.tolist(), s.meta, type(s) is State)
n = pickle.loads(pickle.dumps(Node()))
print(n.me is n, n.items is n.same, n.items)
m = pickle.loads(pickle.dumps(Model()))
print(m.w, m.cache, pickle.loads(pickle.dumps(double))(4), pickle.loads(pickle.dumps(Kind)) is Kind, pickle.loads(pickle.dumps(int)))
c = Config(a=1)
c.extra = 2
d = pickle.loads(pickle.dumps(c))
print(d, type(d).__name__, d.extra)
shared = [1]
x, y = pickle.loads(pickle.dumps((shared, shared)))
print(x is y)
with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "a.pkl")
    with open(path, "wb") as f:
        pickle.dump({"x": np.arange(3)}, f)
        pickle.dump("second", f)
    with open(path, "rb") as f:
        print(pickle.load(f), pickle.load(f))
        try:
            pickle.load(f)
        except EOFError as e:
            print("EOFError", e)
old = b'\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01K\x05X\x01\x00\x00\x00bq\x02]q\x03(K\x01M,\x01J\x00\x00\x01\x00eX\x01\x00\x00\x00cq\x04h\x03u.'
print(pickle.loads(old))
proto5 = pickle.dumps({"a": np.arange(4, dtype=np.float32)}, protocol=5)
print(pickle.loads(proto5))
for bad in (lambda: pickle.loads(b"\x80\x04"), lambda: pickle.dumps(lambda: 0), lambda: pickle.loads(b"garbage")):
    try:
        bad()
    except (EOFError, pickle.PickleError, AttributeError) as e:
        print(type(e).__name__)
