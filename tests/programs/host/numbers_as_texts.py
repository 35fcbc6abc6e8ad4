import numpy as np
for a in (np.array([1, 0, -3]), np.arange(4, dtype=np.uint8).reshape(2, 2), np.array([1.5, 2, 1e20, np.nan]), np.array([True, False]), np.array([0.1], np.float32), np.array([1 + 2j]), np.array([], np.int16), np.array([-5], np.int32), np.array([7], np.uint64)):
    t = a.astype(str)
    print(t, t.dtype, t.shape, repr(t))
labels = np.arange(3).astype(str)
labels[1] = "seven"
print(labels, labels.astype(float) if False else labels[0] == "0", labels.tolist(), ",".join(labels))
print([np.zeros(1, c).dtype.name for c in "?bBhHiIlLqQefdFD"], np.dtype("d").itemsize, np.array([1.7], "i"))
t = np.dtype([("id", "i4"), ("pos", np.float64, (3,)), ("m", "f4"), ("g", "u1", (2, 2))])
print(t["pos"].shape, t["pos"].base, t["id"], t["pos"], repr(t["pos"]), t["g"].itemsize, t["pos"].ndim, t["pos"].subdtype, t.fields["m"], t.fields["pos"], t["g"].name, t["pos"] == t["pos"], t["pos"].kind)
a = np.zeros(2, t)
a["id"] = [3, 4]
a["pos"][1] = [1, 2, 3]
print(a[1]["id"], a["pos"].sum(), a.dtype["pos"].shape, a.dtype == t)
r = np.zeros((2, 2), [("a", "i4"), ("b", "f8")])
r["a"] = [[1, 2], [3, 4]]
r["b"] = r["a"] / 4
print(r.tolist(), r[0].tolist(), r[1, 1].tolist(), a.tolist(), type(r[1, 1].tolist()[0]).__name__)
for x, y in r[0].tolist():
    print(x, y)
for bad in ("z", "Q9"):
    try:
        np.zeros(1, bad)
    except TypeError as e:
        print("TypeError")
