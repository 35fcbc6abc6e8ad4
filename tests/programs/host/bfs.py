"""Breadth-first search, a level a launch, until no vertex is new."""
import numpy as np
from numba import cuda


@cuda.jit
def visit(starts, ends, level, current, found):
    v = cuda.grid(1)
    if v < level.size and level[v] == current:
        for k in range(starts[v], starts[v + 1]):
            if level[ends[k]] < 0:
                cuda.atomic.max(found, ends[k], 1)


def graph(side):
    starts, ends = [0], []
    for y in range(side):
        for x in range(side):
            for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                inside = 0 <= y + dy < side and 0 <= x + dx < side
                wall = (x + dx) == 2 and (y + dy) != side - 1
                if inside and not wall:
                    ends.append((y + dy) * side + x + dx)
            starts.append(len(ends))
    return np.array(starts), np.array(ends)


side = 6
starts, ends = graph(side)
level = np.full(side * side, -1)
level[0] = 0
current = 0
while True:
    found = np.zeros(side * side, dtype=np.int32)
    visit[2, 32](starts, ends, level, current, found)
    if not found.any():
        break
    current += 1
    level[found > 0] = current
print("levels:", current, "vertices:", len(level), "links:", ends.size)
print(level.reshape(side, side))
