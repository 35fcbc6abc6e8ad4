# Dictionaries: what they hold, how they are changed and gone over, and what they are given as.
import numpy as np
from numba import cuda

# made
a = {"x": 1, "y": 2.5, "z": None}
print(a, {}, dict(), dict(a=1, b=2), dict([("k", 1), ("l", 2)]), dict(a, x=7, w="é"))
print({**a, "x": 9, **{"n": (1, 2)}}, dict(zip("abc", range(3))), dict.fromkeys("ab", 0), dict.fromkeys([1]))
print({k: k * k for k in range(4)}, {(i, j): i + j for i in range(2) for j in range(2) if i != j})
print({1: "int", 1.0: "float", True: "bool"}, {0: 1, -0.0: 2, False: 3}, {2**53: 1, float(2**53): 2})
print({None: 1, (): 2, (1, "a"): 3, "": 4, ...: 5, 1j: 6, 1 + 0j: 7, float("inf"): 8})
print({np.int64(3): "np", 3: "int", np.float32(0.5): "f", 0.5: "g"}, {1e300: 1, -1e300: 2, 0.1: 3})
nan = float("nan")
print(len({nan: 1, nan: 2}), nan in {nan: 1}, float("nan") in {nan: 1})

# asked
print(a["x"], a.get("y"), a.get("q"), a.get("q", 5), "x" in a, "q" not in a, None in a, len(a), bool(a), bool({}))
print(list(a), tuple(a), sorted(a, reverse=True), max(a), min(a, key=lambda k: len(k)), "-".join(a))
print(a.keys(), a.values(), a.items(), len(a.items()), ("x", 1) in a.items(), ("x", 2) in a.items(), 3 in a.items())
print("x" in a.keys(), 2.5 in a.values(), list(a.items())[0], [v for v in a.values()], list(reversed(a)))
print(list(reversed(a.items())), next(iter(a)), next(iter(a.values())), list(enumerate(a)), list(zip(a, a.values())))
print(a == {"z": None, "y": 2.5, "x": 1.0}, a != {}, {1: [2]} == {True: [2]}, {1: 2} == {1: 3}, {1: 2} == [1])
print(isinstance(a, dict), isinstance(a, (list, tuple)), type(a) == dict, type(a).__name__, type(a) is dict, callable(a.get))
print(f"{a} {a['x']:>4} {a!r}", "%s" % a, str(a["z"]), repr({"q'": "\n"}), "{0[x]} {b}".format(a, b={1: 2}))
best = {"u": 3, "v": 9, "w": 9}
print(max(best, key=best.get), max(best.items(), key=lambda kv: kv[1]), sorted(best.items(), key=lambda kv: (-kv[1], kv[0])))
print(sum(best.values()), min(best.values()), any(best.values()), dict(sorted(best.items(), reverse=True)), dict(map(reversed, best.items())))

# changed
d = {}
for word in "the cat and the dog and the bird".split():
    d[word] = d.get(word, 0) + 1
print(d)
d["cat"] += 10
del d["and"]
print(d.pop("dog"), d.pop("none", "gone"), d.setdefault("cat", 0), d.setdefault("new", []), d)
d["new"].append(3)
d.update({"cat": 0}, owl=2)
d.update([("the", 1), ["a", "b"]])
d.update()
print(d, d.popitem(), d.popitem(), d)
e = d.copy()
e["only"] = 1
print(d, e, d | e, {1: 2} | {1: 3, 4: 5})
d |= {"z": 26}
d |= [("y", 25)]
d["self"] = len(d)
print(d)
d.clear()
d["again"] = 1
print(d, len(d))
grid = {}
for i in range(300):
    grid[i, i % 7] = i
for i in range(0, 300, 2):
    del grid[i, i % 7]
for i in range(500, 520):
    grid[i] = -i
print(len(grid), grid[299, 5], (2, 2) in grid, sum(grid.values()), list(grid)[:3], list(grid)[-2:])
while grid:
    key, value = grid.popitem()
print(key, value, grid)
q = {i: i for i in range(20)}
for turn in range(200):
    first = next(iter(q))
    q[20 + turn] = q.pop(first)
print(list(q.items())[:3], len(q))
nested = {"a": {"b": {"c": 1}}, "l": [{"n": 1}, {"n": 2}]}
nested["a"]["b"]["c"] += 1
nested["l"][1]["n"] = np.float32(0.5)
print(nested, [x["n"] for x in nested["l"]])
p = r = {"shared": 0}
r["shared"] = 1
print(p, p is r, p is not r.copy(), p == r.copy())
k1, k2 = {"a": 1, "b": 2}
print(k1, k2, [*{"a": 1}], (*{"b": 1}.values(),), {"a": 1}.items() == {"a": 1}.items())


# arguments
def show(x, y=2, *more, z=3, **rest):
    return x, y, more, z, rest


options = {"y": 5, "z": 6, "w": 7}
print(show(1, **options), show(1, **{}), show(x=1, q=2), show(**{"x": 1}, **{"k": 2}), show(1, 2, 3, a=4))


def wrap(function):
    def inner(*args, **kw):
        return function(*args, **kw)
    return inner


print(wrap(show)(1, z=0, u=1), wrap(wrap(dict))(a=1), (lambda **k: k)(a=1, b=2), np.zeros(2, **{"dtype": np.int8}))


def counted(n, memo={}):
    if n < 2:
        return n
    if n not in memo:
        memo[n] = counted(n - 1) + counted(n - 2)
    return memo[n]


print(counted(80), counted(10, {}), counted(10, memo={10: 1}))

# kernels by name
REGISTRY = {}


def register(name):
    def decorate(function):
        REGISTRY[name] = function
        return function
    return decorate


@register("add")
@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@register("mul")
@cuda.jit
def mul(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] * y[i]


CONFIG = {"n": 8, "threads": 4, "names": ["add", "mul"]}
x = np.arange(CONFIG["n"], dtype=np.float32)
results = {name: np.zeros_like(x) for name in CONFIG["names"]}
launch = {"grid": (CONFIG["n"] + CONFIG["threads"] - 1) // CONFIG["threads"], "block": CONFIG["threads"]}
for name, kernel in REGISTRY.items():
    kernel[launch["grid"], launch["block"]](x, x + 1, results[name])
for name, result in results.items():
    print(f"{name:<5}", result, result.sum())
arrays = {"host": x, "device": cuda.to_device(x)}
add[2, 4](arrays["device"], arrays["device"], results["add"])
print(results["add"], {k: v.shape for k, v in arrays.items()}, np.array(list(best.values())), best["u"] * x[:2])
DTYPES = {np.float32: "f4", np.int64: "i8", int: "int", float: "float"}
print(DTYPES[np.float32], DTYPES[x.dtype.type], DTYPES[int], np.dtype("float32") in DTYPES, {x.dtype: 1}[np.dtype("float32")])
