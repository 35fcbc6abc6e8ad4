"""Arrays of texts that are written to, and read as numbers."""
import numpy as np

canvas = np.full((3, 6), " ")
canvas[1, 2] = "x"
canvas[0] = list("abc") * 2
canvas[2, ::2] = "#"
canvas[canvas == " "] = "."
for r in canvas: print("".join(r))
print(np.unique(canvas), canvas.dtype, np.sort(canvas[0]), (canvas < "a").sum(), canvas[0].argsort())
z = np.zeros(3, dtype="U4"); z[1] = "hello"; z[2] = 12
print(z, repr(z), z.tolist(), np.empty((1, 2), dtype=str))
v = canvas[1]; v[0] = "Z"; print(canvas[1, 0], (canvas == "Z").sum(), sorted(set(canvas.ravel().tolist())))
w = canvas.copy(); w[0, 0] = "Q"; print(canvas[0, 0], w[0, 0], np.array_equal(w, canvas))
t = np.array(["1", "2", "x"]); print(t[:2].astype(float), t[:2].astype(int).sum())
t[2] = "30"; print(t, t[:2].astype(int)); t.fill("7"); print(t)
grid = np.full((2, 3), "", dtype="U2")
grid[:, 1] = ["up", "down"]
grid[grid == ""] = np.array(["a", "b", "c", "dd"])
print(grid, np.unique(grid, return_counts=True))
n = np.zeros((2, 2))
m = np.where(n == 0, "o", "x")
m[0, 0] = "x"
m[1] = m[0]
print(m.tolist(), n)
