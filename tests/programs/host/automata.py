"""Automata by rules, sand that topples, ants, and turtles: grids of integers in several ways."""
import numpy as np
from numba import cuda, njit, uint8

WIDTH = 63


@cuda.jit
def rule_step(before, after, table):
    i = cuda.grid(1)
    n = before.size
    if i < n:
        k = 4 * before[(i - 1) % n] + 2 * before[i] + before[(i + 1) % n]
        after[i] = table[k]


@cuda.jit
def topple(sand, out, moved):
    y, x = cuda.grid(2)
    h, w = sand.shape
    if y >= h or x >= w:
        return
    grains = sand[y, x] % 4
    if y > 0:
        grains += sand[y - 1, x] // 4
    if y + 1 < h:
        grains += sand[y + 1, x] // 4
    if x > 0:
        grains += sand[y, x - 1] // 4
    if x + 1 < w:
        grains += sand[y, x + 1] // 4
    out[y, x] = grains
    if sand[y, x] >= 4:
        cuda.atomic.add(moved, 0, 1)


@njit
def ant(size, steps):
    grid = np.zeros((size, size), dtype=np.uint8)
    y = x = size // 2
    dy, dx = -1, 0
    for _ in range(steps):
        if grid[y, x]:
            dy, dx = -dx, dy
        else:
            dy, dx = dx, -dy
        grid[y, x] = uint8(1) - grid[y, x]
        y = (y + dy) % size
        x = (x + dx) % size
    return grid


def rule(number, steps):
    table = cuda.to_device(np.array([number >> k & 1 for k in range(8)], dtype=np.uint8))
    row = np.zeros(WIDTH, dtype=np.uint8)
    row[WIDTH // 2] = 1
    before, after = cuda.to_device(row), cuda.device_array_like(row)
    rows = [row]
    for _ in range(steps):
        rule_step.forall(WIDTH)(before, after, table)
        before, after = after, before
        rows.append(before.copy_to_host())
    return np.array(rows)


def turtle(text, axiom, times, angle=90):
    for _ in range(times):
        axiom = "".join(text[0][1] if c == text[0][0] else text[1][1] if c == text[1][0] else c for c in axiom)
    position, heading, seen = 0 + 0j, 1 + 0j, [0j]
    for c in axiom:
        if c == "F":
            position += heading
            seen.append(position)
        elif c in "+-":
            heading *= 1j if c == "+" else -1j
    return axiom, seen


for number in (30, 90, 110):
    rows = rule(number, 16)
    print(f"rule {number:3d}: {rows.sum():3d} cells, last row {''.join('.#'[c] for c in rows[-1, 15:48])}")
    if number == 90:
        assert (rows[8].nonzero()[0] == [WIDTH // 2 - 8, WIDTH // 2 + 8]).all()
sand = np.zeros((15, 15), dtype=np.int32)
sand[7, 7] = 300
d_sand, d_out = cuda.to_device(sand), cuda.to_device(sand)
rounds = 0
while True:
    moved = cuda.to_device(np.zeros(1, dtype=np.int32))
    topple[(2, 2), (8, 8)](d_sand, d_out, moved)
    d_sand, d_out = d_out, d_sand
    if moved.copy_to_host()[0] == 0:
        break
    rounds += 1
pile = d_sand.copy_to_host()
print("sand", pile.sum(), "after", rounds, "rounds,", np.bincount(pile.ravel()), (pile == pile.T).all(), (pile == pile[::-1]).all())
for line in pile[3:8]:
    print(" ".join(" .:*"[g] for g in line).rstrip())
trail = ant(64, 11000)
print("ant", trail.sum(), trail.any(axis=0).sum(), np.argwhere(trail)[0], np.packbits(trail[30])[:4])
axiom, seen = turtle([("X", "X+YF+"), ("Y", "-FX-Y")], "FX", 6)
points = np.array(seen)
print("dragon", len(axiom), len(seen), np.unique(points).size, points[-1], int(np.abs(points).max() ** 2 + 0.5))
print("turns", "".join(c for c in axiom if c in "+-")[:20], axiom.count("F") == len(seen) - 1)
