"""Puzzles: queens on a board, a sudoku, the towers of Hanoi, magic squares, and numbers of several kinds."""
import numpy as np
from numba import cuda, njit


@njit
def queens(n, row, columns, left, right):
    if row == n:
        return 1
    count = 0
    free = ~(columns | left | right) & ((1 << n) - 1)
    while free:
        bit = free & -free
        free ^= bit
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return count


@cuda.jit
def queens_kernel(n, out):
    """A thread for each place of the queen in the first row."""
    i = cuda.grid(1)
    if i >= n:
        return
    stack = cuda.local.array(16, np.int32)
    columns = cuda.local.array(16, np.int32)
    left = cuda.local.array(16, np.int32)
    right = cuda.local.array(16, np.int32)
    full = (1 << n) - 1
    bit = 1 << i
    columns[1], left[1], right[1] = bit, bit << 1, bit >> 1
    stack[1] = full & ~(columns[1] | left[1] | right[1])
    row = 1
    count = 0
    while row > 0:
        if stack[row] == 0:
            row -= 1
            continue
        bit = stack[row] & -stack[row]
        stack[row] ^= bit
        if row == n - 1:
            count += 1
            continue
        columns[row + 1] = columns[row] | bit
        left[row + 1] = (left[row] | bit) << 1
        right[row + 1] = (right[row] | bit) >> 1
        row += 1
        stack[row] = full & ~(columns[row] | left[row] | right[row])
    out[i] = count


def allowed(board, r, c, value):
    b = board[r // 3 * 3:r // 3 * 3 + 3, c // 3 * 3:c // 3 * 3 + 3]
    return value not in board[r] and value not in board[:, c] and not (b == value).any()


def sudoku(board):
    empty = np.argwhere(board == 0)
    if not len(empty):
        return True
    options = [[v for v in range(1, 10) if allowed(board, r, c, v)] for r, c in empty]
    k = min(range(len(options)), key=lambda i: len(options[i]))
    r, c = empty[k]
    for value in options[k]:
        board[r, c] = value
        if sudoku(board):
            return True
    board[r, c] = 0
    return False


def hanoi(n, a="A", b="B", c="C", moves=None):
    moves = [] if moves is None else moves
    if n:
        hanoi(n - 1, a, c, b, moves)
        moves.append(a + c)
        hanoi(n - 1, b, a, c, moves)
    return moves


def magic(n):
    square = np.zeros((n, n), dtype=int)
    r, c = 0, n // 2
    for k in range(1, n * n + 1):
        square[r, c] = k
        up, right = (r - 1) % n, (c + 1) % n
        r, c = (up, right) if not square[up, right] else ((r + 1) % n, c)
    return square


print([queens(n, 0, 0, 0, 0) for n in range(1, 9)])
out = np.zeros(8, dtype=np.int32)
queens_kernel[1, 32](8, out)
print(out, out.sum())
puzzle = """53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"""
board = np.array([int(c) if c != "." else 0 for c in puzzle]).reshape(9, 9)
print("solved" if sudoku(board) else "no way", board.sum(axis=0), board.diagonal())
for row in board[:3]:
    print(" ".join(str(v) for v in row[:3]), "|", *row[3:6], "|", *row[6:])
moves = hanoi(5)
print(len(moves), " ".join(moves[:8]), "...", moves[-1])
square = magic(5)
print(square)
print(np.unique([*square.sum(0), *square.sum(1), square.trace(), np.fliplr(square).trace()]))
perfect = [n for n in range(2, 500) if sum(d for d in range(1, n) if n % d == 0) == n]
armstrong = [n for n in range(100, 1000) if n == sum(int(d) ** 3 for d in str(n))]


def collatz(n):
    path = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        path.append(n)
    return path


longest = max(range(1, 300), key=lambda n: len(collatz(n)))
triples = [(a, b, c) for c in range(1, 30) for b in range(1, c) for a in range(1, b) if a * a + b * b == c * c]
print(perfect, armstrong, longest, triples[:4], len(triples))
print(*(f"{n:>3d} = {n:08b} = {n:#x} = {n:o}" for n in (5, 100, 255)), sep="\n")
