# NumPy's arrays of texts, as labels and pictures of characters have them.
import numpy as np
from numba import cuda


@cuda.jit
def nearest(x, centres, out):
    i = cuda.grid(1)
    if i < x.size:
        best = 0
        for k in range(centres.size):
            if abs(x[i] - centres[k]) < abs(x[i] - centres[best]):
                best = k
        out[i] = best


names = np.array(["low", "middle", "high"])
x = np.linspace(0, 10, 7)
found = np.zeros(7, dtype=np.int64)
nearest[1, 32](x, np.array([1.0, 5.0, 9.0]), found)
print(names[found])
print(names, repr(names), names.dtype, names.shape, len(names), names.size, names.ndim)
print(names[0], repr(names[1]), names[-1].upper(), [name for name in names], names.tolist())
print(names == "high", names != "low", (names == "high").any(), "low" in names, "none" in names)
print(names < "i", names >= "middle", names == np.array(["low", "x", "high"]), names > names[::-1])
print(names[names != "low"], names[[2, 0]], names[::-1], names[np.array([True, False, True])])
print(np.sort(names), np.argsort(names), names.argsort(), np.sort(names)[::-1])
values, counts = np.unique(names[found], return_counts=True)
print(values, counts, dict(zip(values.tolist(), counts.tolist())), np.unique(["b", "a", "b"]))
print(np.concatenate([names, ["very high"]]), np.concatenate([names, ["very high"]]).dtype)
cells = np.array([" ", "#"])[np.eye(4, dtype=int)]
print(cells.shape, cells)
print("\n".join("".join(row) for row in cells))
row = np.array([0, 1, 1, 0, 1], dtype=bool)
print("".join(np.where(row, "█", " ")) + "|", np.where(row, "yes", "no"))
print(np.where(np.arange(3) > 1, names, "?"), np.where(row, names[0], names[1]))
print(repr(np.array([["a", "bc"], ["def", ""]])), np.array([["a", "bc"], ["def", ""]]).T.ravel())
print(np.array(["1", "22"]).astype(int) + 1, np.array(["1.5", "2"], dtype=float))
print(np.array(["7"], dtype=np.int32), names.itemsize)
print(np.full((2, 2), "xy"), np.repeat(names, 2), np.tile(np.array(["a"]), 3), np.flip(names))
print(np.isin(names, ["low", "high"]), isinstance(names, np.ndarray))
print(np.array_equal(names, names.copy()))
print(repr(np.array([f"name number {i}" for i in range(9)])))
print(np.array([f"name number {i}" for i in range(9)]).reshape(3, 3))
print(names.dtype == "<U6", names.dtype.kind, names.dtype.itemsize, repr(names.dtype))
print(np.array(["abc"], dtype="U2"))
print({str(name): len(name) for name in names}, sorted(names), max(names))
print(", ".join(names), f"{names[0]:>6}|")
print(names.reshape(3, 1), names.reshape(1, -1)[0, 2], np.array("one"), np.array(["a"])[0] == "a")
counted = {}
for name in names[found]:
    counted[name] = counted.get(name, 0) + 1
print(counted, counted["low"])
for wrong in (
              lambda: names[7], lambda: hash(names), lambda: bool(names)):
    try:
        print(wrong())
    except (ValueError, IndexError, TypeError) as e:
        print(type(e).__name__, e)
rng = np.random.default_rng(1)
print(rng.choice(names, 5), rng.choice(["x", "y"], size=4), np.vstack([names, names]).shape)
table = np.loadtxt(["a,b", "c,d"], dtype=str, delimiter=",")
print(table, table[:, 1], np.array(list("hello")), np.array(["a"] * 1200))


class Answers:
    def __eq__(self, other):
        return "equal to", other

    def __lt__(self, other):
        return ["less than", other]


print(Answers() == 3, Answers() < 4, 5 > Answers(), Answers() != 3, [Answers()] == [3])
