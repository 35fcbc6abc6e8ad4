"""Arrays of records that a program makes: their dtypes, packed and aligned, elements and fields."""
import numpy as np
from numba import cuda

packed = np.dtype([("x", np.uint8), ("y", np.float64)])
aligned = np.dtype([("x", np.uint8), ("y", np.float64), ("z", "<i2", (3,))], align=True)
print(packed.itemsize, aligned.itemsize, packed.names, np.dtype(np.int8).names)
print(packed == np.dtype([("x", "u1"), ("y", "f8")]), packed == aligned, packed != aligned, packed == "f4")

a = np.zeros(3, dtype=aligned)
a["y"][1] = 2.5
a["x"] = 7
a["z"][:, 1] = [1, 2, 3]
print(a["y"].sum(), a["x"], a["z"].tolist(), a.shape, a.dtype == aligned)
print(a[1]["y"], a[1]["z"], a[-1]["x"] + 1)
a[0] = (9, -1.5, [4, 5, 6])
a[2]["y"] = 8
print(a["x"].tolist(), a["y"].tolist(), a["z"].tolist())

points = np.array([(1, 2.0), (3, 4.5), (5, -6.0)], dtype=packed)
print(points["x"].sum(), points["y"].copy().max(), len(points), points.dtype.itemsize, points.nbytes)
points[1:] = [(7, 0.5), (8, 0.25)]
print([(int(p["x"]), float(p["y"])) for p in points])
copy = points.copy()
copy["y"] = 2 * copy["y"].copy()
print(points["y"], copy["y"], points[points["x"] > 5]["y"])
swapped = points[::-1].copy()
print(swapped["x"])

pair = [("first", np.int32), ("second", packed)]
nested = np.zeros(2, dtype=pair)
nested["second"]["y"] = [1.5, 2.5]
print(nested["second"]["y"].copy().sum(), nested.dtype.itemsize)


@cuda.jit
def grow(a, total):
    kept = cuda.shared.array(4, aligned)
    i = cuda.grid(1)
    if i < a.size:
        a[i]["x"] += i
        a[i]["y"] = a[i]["y"] * 2
        kept[i]["y"] = a[i]["y"]
    cuda.syncthreads()
    if i == 0:
        for k in range(a.size):
            total[0] += kept[k]["y"]


total = np.zeros(1)
grow[1, 4](a, total)
print(a["x"].tolist(), a["y"].tolist(), total)
d = cuda.to_device(points)
print(d.copy_to_host()["x"])

turned = np.zeros(3, dtype=[("a", np.float64), ("b", np.int16)])
turned[:] = points
print(turned["a"], turned["b"], np.array(points, dtype=turned.dtype)["b"])
turned[1:] = turned[:-1]
turned[[0, 2]] = turned[1]
print(turned["a"], points[0:0]["x"], len(np.array([], dtype=aligned)))
points[:] = points[::-1]
points[points["x"] > 7] = points[2]
print(points["x"], points["y"])
