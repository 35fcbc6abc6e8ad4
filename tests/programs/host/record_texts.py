"""Fields of texts in records: read, stored, compared, shown."""
import numpy as np
from numba import cuda


@cuda.jit
def mark(people, wanted):
    i = cuda.grid(1)
    if i < people.size and people[i].age > wanted:
        people[i].score = people[i].age * 0.5


n = np.zeros(2, dtype=[("n", "U5"), ("s", "S3"), ("k", "i4")])
n[0] = ("ab", b"xy", 1)
n["n"][1] = "cdefghijk"
n[1]["s"] = b"q"
print(n["n"].dtype, n.dtype)
print(n["n"][0], repr(n["n"][1]), n[0]["s"], n["n"].shape)
print(n["n"].tolist(), n["s"].tolist())
print(n.tolist())
print(n)
print(repr(n))
print(n["n"], repr(n["n"]), n["s"], n[0])
print(n[1].tolist(), [str(x) for x in n["n"]], [r["n"] for r in n])
n["n"] = "all"
print(n["n"])
n["n"] = ["p", "größer"]
print(n["n"], n["n"] == "p", n["k"][n["n"] == "q"], n[n["n"] == "p"], (n["n"] != "p").sum())
m = np.array([("ab", 1.5), ("cde", 2)], dtype=[("name", "U10"), ("v", "f8")])
print(m, m["name"].tolist(), m[m["v"] > 1.7]["name"], np.unique(m["name"]))
for r in m:
    print(f"{r['name']:>6} {r['v']:.2f}", r["name"].upper())
name, v = m[0]
print(name, v, "ab" in m["name"].tolist(), dict(zip(m["name"], m["v"])) == {"ab": 1.5, "cde": 2.0})
print(np.sort(m, order="v")["name"], m["name"].astype(str))
p = np.array([("Ann", 30, 0.0), ("Bob", 51, 0.0), ("Cy", 70, 0.0)],
             dtype=[("name", "U4"), ("age", "i4"), ("score", "f8")])
p["name"][2] += "rus"
d = cuda.to_device(p)
mark[1, 32](d, 40)
q = d.copy_to_host()
print(q.tolist(), q[q["name"] == "Cyru"]["score"])
print([len(r) if isinstance(r, tuple) else tuple(r) for r in q[:1]], [*q[1]][1])
