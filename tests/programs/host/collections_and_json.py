# collections: counters, defaults, orders; and dictionaries as texts of JSON.
import collections
import json
from collections import Counter, OrderedDict, defaultdict
import numpy as np

c = Counter("mississippi")
print(c, c["s"], c["q"], "q" in c, len(c), c.most_common(2), c.most_common(), c.total(), sorted(c.elements()))
c.update("miss")
c.update({"x": 5}, y=2)
c["z"] += 1
c.subtract(["m", "m"])
print(c, dict(c), max(c, key=c.get), c == Counter(dict(c)), c == dict(c), Counter(a=0) == Counter(), Counter())
a, b = Counter(a=3, b=1), Counter(a=1, b=2, c=4)
print(a + b, a - b, b - a, a & b, a | b)
a += b
print(a, isinstance(a, dict), isinstance(a, Counter), type(a) is Counter, type(a).__name__, Counter([1, 1.0, 2]))
print(Counter(np.array([3, 1, 3]).tolist()), Counter({"u": 1}).copy(), list(c.items())[:2])

groups = defaultdict(list)
for i, word in enumerate("a b a c b a".split()):
    groups[word].append(i)
print(groups, groups["new"], len(groups), groups.get("other"), "other" in groups, dict(groups))
n = defaultdict(int, {"k": 1}, m=2)
n["k"] += 1
n["l"] += 5
print(n, n.default_factory, isinstance(n, dict), n == {"k": 2, "m": 2, "l": 5}, n.copy()["none"], n)
deep = defaultdict(lambda: defaultdict(int))
deep["x"]["y"] += 1
deep["x"]["z"] = 2
print({k: dict(v) for k, v in deep.items()}, f"{deep['x']['y']} {n['fresh']}", "%(none)d" % n, "{0[some]}".format(n))

o = OrderedDict([("one", 1), ("two", 2)], three=3)
print(o, OrderedDict(), o == {"three": 3, "two": 2, "one": 1}, o == OrderedDict(three=3, two=2, one=1), list(o))
o.move_to_end("one")
o.move_to_end("three", last=False)
print(list(o.items()), o.popitem(), o.popitem(last=False), o, isinstance(o, OrderedDict))

times = {"kernel": "saxpy", "n": 1024, "ok": True, "none": None, "gflops": [1.5, 2.0, 1e20], "grid": (4, 1)}
print(json.dumps(times))
print(json.dumps(times, indent=2, sort_keys=True))
print(json.dumps({1: "é\n\"q\"\\", 2.5: "\x01", None: [], True: {}, "big": 2**62, "inf": float("inf"), "𝄞": -0.0}))
print(json.dumps({"é": ["ü"]}, ensure_ascii=False), json.dumps([1, [2, {"a": (3,)}]], separators=(",", ":")))
print(json.dumps("text"), json.dumps(1.0), json.dumps([], indent=4), json.dumps({"a": {}, "b": [1]}, indent="--"))
print(json.dumps({"a": np.arange(3)}, default=lambda o: o.tolist()), json.dumps(np.float64(0.1)), json.dumps(groups))
print(collections.Counter("ab")["a"], collections.defaultdict(float)["x"], collections.OrderedDict(a=1)["a"])
