"""Tables of texts as records, by the names in their first line; dtypes beside what is none."""
import io
import numpy as np
T = "day, S value,I\n0,140,4\n1,138,6\n2,,9\n"
for kw in (dict(names=True), dict(names=True, dtype=int), dict(names=True, dtype=None), dict(names=True, usecols=(0, 2)), dict(names="a,b,c", skip_header=1), dict(names=["x", "y", "z"], skip_header=1, dtype=[("x", "i4"), ("y", "f4"), ("z", "i8")]), dict(skip_header=1), dict(skip_header=1, dtype=None), dict(names=True, usecols=("I", "day")), dict(skip_header=1, skip_footer=1, usecols=2), dict(skip_header=1, max_rows=2)):
    a = np.genfromtxt(io.StringIO(T), delimiter=",", **kw)
    print(kw, a.dtype, a.shape)
    print(a)
d = np.genfromtxt(io.StringIO(T), delimiter=",", names=True)
print(d["S_value"].mean(), d.dtype.names, np.nanmax(d["S_value"]), d[1]["I"], d["I"].astype(int).sum())
print(np.genfromtxt(io.StringIO("# x y\n1 2\n3 4.5\n"), names=True), np.genfromtxt(["1 2", "3 4"], dtype=None), np.genfromtxt(["1 2.5", "3 4"], dtype=None))
r = np.loadtxt(io.StringIO("1 2.5\n3 4.5\n"), dtype=[("n", "i4"), ("v", "f8")])
print(r, r["v"], r.dtype)
x, y = np.genfromtxt(io.StringIO("x y\n1 2\n3 4\n5 6\n"), names=True, unpack=True); print(x, y)
print(np.loadtxt(io.StringIO("1;2\n3;4\n"), delimiter=";", converters={0: lambda s: float(s) * 10}), np.genfromtxt(["a b", "c d"], dtype=str), np.genfromtxt(["1+2j 3"], dtype=complex))
print(np.genfromtxt(["1,2", "3,4"], delimiter=",", unpack=True), np.genfromtxt(io.StringIO("v\n1\n2\n"), names=True)["v"])
a = np.zeros(2)
for o in (str, "f8", float, "<U3", 3, "nonsense", np.float64, int, "int64", list, "U"):
    try: print(o, a.dtype == o, o == a.dtype, a.dtype != o)
    except Exception as e: print(type(e).__name__, e)
