"""Both play tic-tac-toe as well as it goes."""
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
looked = 0


def winner(board):
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return "draw" if "." not in board else None


def value(board, player, alpha=-2, beta=2):
    global looked
    looked += 1
    won = winner(board)
    if won:
        return 1 if won == "x" else -1 if won == "o" else 0
    for i, field in enumerate(board):
        if field != ".":
            continue
        board[i] = player
        found = value(board, "o" if player == "x" else "x", alpha, beta)
        board[i] = "."
        if player == "x":
            alpha = max(alpha, found)
        else:
            beta = min(beta, found)
        if alpha >= beta:
            break
    return alpha if player == "x" else beta


def best(board, player):
    moves = [i for i, field in enumerate(board) if field == "."]
    values = []
    for move in moves:
        board[move] = player
        values.append(value(board, "o" if player == "x" else "x"))
        board[move] = "."
    pick = max(values) if player == "x" else min(values)
    return moves[values.index(pick)], pick


def show(board):
    for row in range(3):
        print(" ".join(board[3 * row:3 * row + 3]))


board = list("x...o....")
player = "x"
while winner(board) is None:
    move, worth = best(board, player)
    board[move] = player
    print(f"{player} to {move}, worth {worth:+d}")
    player = "xo"[player == "x"]
show(board)
print(winner(board), looked)
