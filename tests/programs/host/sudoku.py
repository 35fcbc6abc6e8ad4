"""Sudoku by elimination on arrays of candidates, with guesses on a stack of copies."""
import numpy as np

PUZZLE = ("53..7...." "6..195..." ".98....6." "8...6...3" "4..8.3..1" "7...2...6"
          ".6....28." "...419..5" "....8..79")


def place(c, i, j, k):
    c[i, j, :] = False
    c[i, :, k] = False
    c[:, j, k] = False
    a, b = i // 3 * 3, j // 3 * 3
    c[a:a + 3, b:b + 3, k] = False
    c[i, j, k] = True


def settle(c, grid):
    """Places what is certain; False if some cell has nothing left."""
    while True:
        counts = c.sum(axis=2)
        if (counts == 0).any():
            return False
        certain = np.argwhere((counts == 1) & (grid == 0))
        if len(certain) == 0:
            return True
        i, j = certain[0]
        k = np.flatnonzero(c[i, j])[0]
        grid[i, j] = k + 1
        place(c, i, j, k)


def solve(text):
    grid = np.zeros((9, 9), dtype=np.int64)
    c = np.ones((9, 9, 9), dtype=bool)
    for n, mark in enumerate(text):
        if mark != ".":
            i, j = divmod(n, 9)
            grid[i, j] = int(mark)
            place(c, i, j, int(mark) - 1)
    stack = [(c, grid)]
    tries = 0
    while stack:
        c, grid = stack.pop()
        tries += 1
        if not settle(c, grid):
            continue
        if (grid > 0).all():
            return grid, tries
        counts = np.where(grid == 0, c.sum(axis=2), 10)
        i, j = np.unravel_index(counts.argmin(), counts.shape)
        for k in np.flatnonzero(c[i, j]):
            c2, g2 = c.copy(), grid.copy()
            g2[i, j] = k + 1
            place(c2, i, j, k)
            stack.append((c2, g2))
    return None, tries


grid, tries = solve(PUZZLE)
for row in grid:
    print(" ".join(str(v) for v in row))
print("tries", tries)
everything = np.arange(1, 10)
boxes = grid.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
print(all(np.array_equal(np.sort(part), everything) for part in [*grid, *grid.T, *boxes]))
