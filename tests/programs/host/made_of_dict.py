from collections import OrderedDict
import copy
import json
class Config(dict):
    """doc"""
    def __getattr__(self, k):
        try:
            return self[k]
        except KeyError:
            raise AttributeError(k) from None
    def __setattr__(self, k, v):
        self[k] = v
    def __delattr__(self, k):
        del self[k]
c = Config(a=1, b=[2])
c.x = 5
print(c, c.x, c["a"], len(c), list(c), c == {"a": 1, "b": [2], "x": 5}, c != {}, isinstance(c, dict), bool(Config()))
del c.x
print(c, hasattr(c, "x"), getattr(c, "a"), c.get("q", 9), c.items(), c.keys(), sorted(c.keys()))
c.update(z=3); c.setdefault("y", 0)
print(c.pop("z"), json.dumps(c), dict(c), {**c}, Config.__doc__, type(c).__name__, repr(type(c)))
def f(**k): return k
print(f(**c), "a" in c, c | {"n": 1}, type(c | {}).__name__)
d = copy.copy(c); d["a"] = 99; e = copy.deepcopy(c); e["b"].append(1)
print(c, d, e, type(d).__name__)
class AttrDict(dict):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.__dict__ = self
a = AttrDict({"u": 1}, v=2)
a.w = 3
a["t"] = 4
print(a, a.u, a.t, a["w"], "w" in a)
try:
    a.nope
except AttributeError as x:
    print(x)
class LRU(OrderedDict):
    def __init__(self, size):
        super().__init__()
        self.size = size
    def __getitem__(self, key):
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if len(self) > self.size:
            self.popitem(last=False)
l = LRU(2)
l["a"] = 1; l["b"] = 2; l["a"]; l["c"] = 3
print(list(l), l, l.size)
class Stack(list):
    def push(self, x): self.append(x)
    @property
    def top(self): return self[-1]
    def __repr__(self): return f"Stack{list(self)}"
s = Stack([1, 2]); s.push(3)
print(s, s.top, len(s), s + [4], s[1:], type(s[1:]).__name__, sorted(s, reverse=True), sum(s), s == [1, 2, 3], [0] + s)
s.sort(reverse=True); s += [7]; s[0] = 8; del s[1]
print(s, type(s).__name__, max(s), s.index(7), isinstance(s, list), s.pop(), [x for x in s], 8 in s)
class Count(dict):
    def __missing__(self, key):
        return 0
k = Count()
k["a"] += 1
print(k["a"], k["b"], k)
class Case(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key.lower(), value)
    def __getitem__(self, key):
        return dict.__getitem__(self, key.lower())
q = Case(); q["ABC"] = 1
print(q, q["aBc"], issubclass(Case, dict), Case.__mro__, list(map(type, [q, s])))
class Frozen:
    __slots__ = ("a",)
    def __init__(self, a):
        object.__setattr__(self, "a", a)
    def __setattr__(self, name, value):
        raise AttributeError(f"{name} is fixed")
    def __delattr__(self, name):
        raise AttributeError("no")
z = Frozen(3)
try:
    z.a = 4
except AttributeError as x:
    print(x, z.a)
try:
    del z.a
except AttributeError as x:
    print(x, z.a)
class Logged:
    def __setattr__(self, name, value):
        print("set", name, value)
        super().__setattr__(name, value)
g = Logged(); g.x = 1; setattr(g, "y", 2)
print(g.x, g.y, vars(g))
try:
    {c: 1}
except TypeError as x:
    print(x)
