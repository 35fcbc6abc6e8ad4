"""Queens, sudoku, chess boards, Connect Four and Monte Carlo tree search, many at once."""
import numpy as np, random, sys
from numba import cuda, uint8, uint16, uint32, uint64, int8, int32
from itertools import permutations, product

N = 6
FULL = (1 << N) - 1
FILE_A = np.uint64(0x0101010101010101)
FILE_H = np.uint64(FILE_A << np.uint64(7)) if False else np.uint64(0x8080808080808080)
KNIGHT = [(a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]
KNIGHT_ATTACKS = np.zeros(64, np.uint64)
for sq in range(64):
    for dr, df in KNIGHT:
        r, f = sq // 8 + dr, sq % 8 + df
        if 0 <= r < 8 and 0 <= f < 8:
            KNIGHT_ATTACKS[sq] |= np.uint64(1 << (8 * r + f))
STARTS = list(permutations(range(N), 2))
START_TABLE = np.array([(a, b) for a, b in STARTS if abs(a - b) > 1], np.int32)
BOX = np.array([[3 * (r // 3) + c // 3 for c in range(9)] for r in range(9)], dtype=np.int8)


@cuda.jit
def queens(solutions):
    t = cuda.grid(1)
    if t >= len(START_TABLE):
        return
    cols = cuda.local.array(N, uint32)
    left = cuda.local.array(N, uint32)
    right = cuda.local.array(N, uint32)
    todo = cuda.local.array(N, uint32)
    a, b = 1 << START_TABLE[t, 0], 1 << START_TABLE[t, 1]
    cols[2], left[2], right[2] = a | b, (a << 2) | (b << 1), (a >> 2) | (b >> 1)
    todo[2] = FULL & ~(cols[2] | left[2] | right[2])
    row, found = 2, 0
    while row >= 2:
        if todo[row] == 0:
            row -= 1
            continue
        bit = todo[row] & -todo[row]
        todo[row] ^= bit
        if row == N - 1:
            found += 1
            continue
        cols[row + 1] = cols[row] | bit
        left[row + 1] = (left[row] | bit) << 1
        right[row + 1] = (right[row] | bit) >> 1
        row += 1
        todo[row] = FULL & ~(cols[row] | left[row] | right[row])
    cuda.atomic.add(solutions, 0, found)


@cuda.jit
def sudoku(boards, solved):
    b = cuda.grid(1)
    if b >= boards.shape[0]:
        return
    rows = cuda.local.array(9, uint16)
    cols = cuda.local.array(9, uint16)
    boxes = cuda.local.array(9, uint16)
    empty = cuda.local.array(81, int8)
    for k in range(9):
        rows[k] = cols[k] = boxes[k] = 0
    n = 0
    for cell in range(81):
        d = boards[b, cell // 9, cell % 9]
        if d:
            rows[cell // 9] |= 1 << d
            cols[cell % 9] |= 1 << d
            boxes[BOX[cell // 9, cell % 9]] |= 1 << d
        else:
            empty[n] = cell
            n += 1
    k = 0
    while 0 <= k < n:
        r, c = divmod(empty[k], 9)
        d = boards[b, r, c]
        if d:
            off = ~(1 << d)
            rows[r] &= off; cols[c] &= off; boxes[BOX[r, c]] &= off
        d += 1
        while d <= 9 and (rows[r] | cols[c] | boxes[BOX[r, c]]) >> d & 1:
            d += 1
        if d > 9:
            boards[b, r, c] = 0
            k -= 1
        else:
            boards[b, r, c] = d
            rows[r] |= 1 << d; cols[c] |= 1 << d; boxes[BOX[r, c]] |= 1 << d
            k += 1
    solved[b] = k == n


@cuda.jit
def mobility(knights, own, moves):
    i = cuda.grid(1)
    if i < knights.size:
        k = knights[i]
        n = 0
        while k:
            sq = cuda.ffs(k) - 1
            n += cuda.popc(KNIGHT_ATTACKS[sq] & ~own[i])
            k &= k - uint64(1)
        moves[i] = n


@cuda.jit(device=True)
def connected(b):
    for shift in (1, 7, 6, 8):
        m = b & (b >> uint64(shift))
        if m & (m >> uint64(2 * shift)):
            return True
    return False


@cuda.jit
def playout(seeds, wins):
    g = cuda.grid(1)
    if g >= seeds.size:
        return
    x = seeds[g]
    boards = cuda.local.array(2, uint64)
    height = cuda.local.array(7, int32)
    boards[0] = boards[1] = 0
    for c in range(7):
        height[c] = 7 * c
    for turn in range(42):
        while True:
            x ^= x << uint32(13)
            x ^= x >> uint32(17)
            x ^= x << uint32(5)
            c = x % 7
            if height[c] < 7 * c + 6:
                break
        boards[turn & 1] ^= uint64(1) << uint64(height[c])
        height[c] += 1
        if connected(boards[turn & 1]):
            cuda.atomic.add(wins, turn & 1, 1)
            return
    cuda.atomic.add(wins, 2, 1)


def main():
    s = np.zeros(1, np.int64)
    queens[1, 32](s)
    print(int(s[0]))
    rows = ["53..7....", "6..195...", ".98....6.", "8...6...3", "4..8.3..1", "7...2...6", ".6....28.", "...419..5", "....8..79"]
    boards = np.array([[[int(c) if c != "." else 0 for c in r] for r in rows]], np.int8)
    ok = np.zeros(1, bool)
    sudoku[1, 1](boards, ok)
    print(bool(ok[0]), boards[0, 0].tolist(), int(boards.sum()))
    kn = np.array([0x42, 1 << 27 | 1 << 36], np.uint64)
    mv = np.zeros(2, np.int32)
    mobility[1, 2](kn, np.array([0xFFFF, 0], np.uint64), mv)
    print(mv.tolist())
    wins = np.zeros(3, np.int32)
    playout[2, 16](np.arange(1, 33, dtype=np.uint32) * np.uint32(2654435761), wins)
    print(wins.tolist())


if __name__ == "__main__":
    main()
