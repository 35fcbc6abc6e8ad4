# Records that are sorted and compared, polynomials as objects, templates and entries of folders.
import numpy as np, os, tempfile
from string import Template
p = np.poly1d([1, -3, 2])
print(p(2), p(np.arange(3.0)), p.order, p.roots, p.coeffs, p.deriv(), p[1], p[7])
print(p)
print(p * p, p + 1, p - p, -p, 2 * p, p ** 2, p / 2)
print(np.poly1d([0, 0, 3.5]), repr(np.poly1d([1.5, 0, -2.25])), np.poly1d([1.5, 0, -2.25, 1]))
print(len(p), p == np.poly1d([1, -3, 2]))
print(np.poly1d([1, 2], True), p.integ())
fit = np.poly1d(np.polyfit(np.arange(5), np.arange(5) ** 2, 2).round(6) + 0.0)
print(fit(10.0).round(6))
whole = [("id", np.int32), ("m", np.float64), ("v", np.int32, 2)]
r = np.array([(2, 1.5, [1, 2]), (1, 3.5, [3, 4]), (2, 0.5, [5, 6])], dtype=whole)
q = np.array([(2, 1.5), (1, 3.5), (2, 0.5)], dtype=whole[:2])
print(np.sort(q), np.sort(q, order="m"), np.argsort(q, order=["id", "m"]))
print(q[np.argsort(q, order="id")])
print(q == q, q != q[::-1], (r == r.copy()).all(), r == r[[0, 1, 1]])
q.sort(order="m")
print(q, r.dtype.fields["v"][1], q.dtype.fields["m"])
try:
    np.sort(q, order="zz")
except ValueError as e:
    print(e)
try:
    np.sort(np.arange(3), order="zz")
except ValueError as e:
    print(e)
for a, b in [("i8", "i4"), ("i4", "i8"), ("f4", "i4"), (np.int32, "f4"), ("u1", "i2"), ("?", "u1")]:
    print(np.can_cast(a, b), np.can_cast(a, b, "same_kind"), np.can_cast(a, b, "no"))
print(np.can_cast("f8", "f4", "same_kind"), np.can_cast("i4", "u4", "same_kind"))
t = Template("$dir/${name}_x $$5 $who")
print(t.substitute(dir="a", name="b", who=3), t.safe_substitute({"dir": 1}))
try:
    t.substitute(dir="a")
except KeyError as e:
    print("KeyError", e)
try:
    Template("$ 5").substitute()
except ValueError as e:
    print("ValueError")
d = tempfile.mkdtemp()
open(os.path.join(d, "f.txt"), "w").write("hello")
os.mkdir(os.path.join(d, "sub"))
with os.scandir(d) as it:
    print(sorted((e.name, e.is_file(), e.path == os.path.join(d, e.name)) for e in it))
print([e.stat().st_size for e in os.scandir(d) if e.is_file()])
print(np.argsort(r[:2], order="id"), np.sort(r, order=["m"])["id"])
raw = bytes(range(10, 17))
print(raw.hex(), raw.hex(" "), raw.hex("-", 2), raw.hex(":", -3), raw.hex(" ", 20), bytes(1).hex("_", 4))
