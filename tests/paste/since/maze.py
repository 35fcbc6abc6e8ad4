"""Game of life, sandpile, maze routing, forest fire - all cellular automata share a base class."""
import curses
import numpy as np
from enum import IntFlag, IntEnum, auto
from numba import cuda, uint8, int32
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

class Wall(IntFlag):
    N = auto()
    E = auto()
    S = auto()
    W = auto()
    ALL = N | E | S | W

class Cell(IntEnum):
    EMPTY, TREE, FIRE, ASH = range(4)

class Rule:
    birth = {3}
    survive = {2, 3}
    name = "life"

RULE_B = sum(1 << b for b in Rule.birth)
RULE_S = sum(1 << s for s in Rule.survive)
KERNEL = np.ones((3, 3), np.uint8); KERNEL[1, 1] = 0
P_GROW, P_FIRE = 1e-2, 1e-4
NEIGHBOURS = tuple((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))


@cuda.jit
def life(src, dst):
    y, x = cuda.grid(2)
    h, w = src.shape
    if y < h and x < w:
        n = 0
        for dy, dx in NEIGHBOURS:
            n += src[(y + dy) % h, (x + dx) % w]
        rule = RULE_S if src[y, x] else RULE_B
        dst[y, x] = (rule >> n) & 1


@cuda.jit
def life_conv(src, dst):
    y, x = cuda.grid(2)
    if y < src.shape[0] - 2 and x < src.shape[1] - 2:
        n = 0
        for j, row in enumerate(KERNEL):
            for i, k in enumerate(row):
                n += k * src[y + j, x + i]
        alive = src[y + 1, x + 1]
        dst[y + 1, x + 1] = n == 3 or (alive and n == 2)


@cuda.jit
def fire(src, dst, rng):
    y, x = cuda.grid(2)
    h, w = src.shape
    if y >= h or x >= w:
        return
    r = xoroshiro128p_uniform_float32(rng, y * w + x)
    c = src[y, x]
    if c == Cell.FIRE:
        dst[y, x] = Cell.ASH
    elif c == Cell.TREE:
        burning = False
        for dy, dx in NEIGHBOURS:
            if 0 <= y + dy < h and 0 <= x + dx < w:
                burning |= src[y + dy, x + dx] == Cell.FIRE
        dst[y, x] = Cell.FIRE if burning or r < P_FIRE else Cell.TREE
    else:
        dst[y, x] = Cell.TREE if r < P_GROW else c


@cuda.jit
def carve(walls, dist, changed):
    y, x = cuda.grid(2)
    h, w = walls.shape
    if y < h and x < w:
        d = dist[y, x]
        v = walls[y, x]
        if not v & Wall.N and y > 0 and dist[y - 1, x] + 1 < d:
            d = dist[y - 1, x] + 1
        if not (v & Wall.S) and y < h - 1:
            d = min(d, dist[y + 1, x] + 1)
        if v & Wall.ALL == Wall.ALL:
            d = -1
        if v & (Wall.E | Wall.W) == 0:
            changed[0] += 1
        dist[y, x] = d


def loop(stdscr: "curses._CursesWindow") -> None:
    while (key := stdscr.getch()) != ord("q"):
        pass


if __name__ == "__main__":
    curses.wrapper(loop)
