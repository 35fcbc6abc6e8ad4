"""Arrays of records that the program itself makes: dtypes, fields, what moves them about."""
import numpy as np
from numba import cuda

REAL = np.float32
flag = np.dtype([("on", np.bool_), ("level", "u1")], align=True)
body = np.dtype([("pos", REAL, 3), ("id", np.int16), ("w", float), ("m", "<i4", (2, 2)), ("f", flag)], align=True)
packed = np.dtype([("x", "u1"), ("y", np.float64)])


@cuda.jit
def move(bodies, out):
    i = cuda.grid(1)
    if i < bodies.size:
        r = bodies[i]
        r.pos[0] += 1
        bodies[i]["id"] = i * 3
        bodies[i].m[1, 0] = 7
        bodies[i].f.level = 200 + i
        out[i] = r.pos[0] * r.pos[1] + r.w


@cuda.jit
def double(rows):
    i = cuda.grid(1)
    if i < rows.size:
        rows[i].y *= 2
        rows[i].x += 1


print(packed, repr(packed), np.dtype([("a", packed), ("b", np.int32, (2, 1))]))
print(flag.itemsize, body.itemsize, packed.itemsize, body.kind, np.dtype("f4"), np.dtype(body) == body)
print(body == packed, packed == np.dtype([("x", np.uint8), ("y", "f8")]), flag != packed)

bodies = np.zeros(5, body)
bodies["pos"] = np.arange(15).reshape(5, 3) / 4
bodies["w"] = 2
bodies["w"][2:] += 0.5
out = np.zeros(5)
move[1, 8](bodies, out)
print(out, bodies["pos"], bodies["id"], bodies["m"][4], bodies["f"]["level"])
on_device = cuda.to_device(bodies)
move[1, 8](on_device, out)
print(on_device.copy_to_host()["pos"][:, 0], bodies["pos"][:, 0])
room = cuda.device_array(5, dtype=body)
room.copy_to_device(bodies)
print(room.copy_to_host()["w"])

rows = np.zeros(4, dtype=packed)
rows["y"] = 1.5
double[1, 4](rows)
print(rows["y"], rows["x"], rows["y"].copy() * 2, rows.nbytes, len(rows))

grid = np.zeros((2, 3), dtype=[("x", np.int32), ("y", np.float32)])
grid["x"] = np.arange(6).reshape(2, 3)
print(grid["x"], grid[1]["x"], grid[1, 2]["x"], grid.T["x"], grid["x"].sum(axis=0), grid["y"].dtype)
line = grid.ravel()
print(line[[4, 1]]["x"], line[line["x"] > 3]["x"], line[::-1].copy()["x"], np.roll(line, 1)["x"], np.zeros_like(line)["x"])
line[0] = line[5]
line[1]["x"] = 40
print(line["x"], grid["x"].max())


@cuda.jit
def stage(bodies, out):
    shared = cuda.shared.array(4, body)
    own = cuda.local.array(2, packed)
    i = cuda.grid(1)
    shared[i]["w"] = bodies[i]["w"] * 2
    shared[i]["m"][1, 0] = i
    own[1]["y"] = 0.5
    cuda.syncthreads()
    out[i] = shared[3 - i]["w"] + 10 * shared[3 - i]["m"][1, 0] + own[1]["y"]


out = np.zeros(4)
stage[1, 4](bodies, out)
print(out)
