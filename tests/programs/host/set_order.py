"""The order in which sets are gone over: that of CPython for numbers, tuples and sets of these."""
state = [12345]


def draw(n):
    state[0] = (state[0] * 1103515245 + 12345) % 2147483648
    return state[0] // 65536 % n


def value(kind):
    if kind == 0:
        return draw(40) - 5
    if kind == 1:
        return (draw(30000) * 32768 + draw(30000)) * (draw(2) * 2 - 1)
    if kind == 2:
        return draw(64) * 1024
    if kind == 3:
        return draw(1000) / 8 * 10.0 ** (draw(40) - 20)
    if kind == 4:
        return tuple(draw(50) - 3 for _ in range(draw(4)))
    if kind == 5:
        return complex(draw(5), draw(3) / 2)
    return frozenset(value(draw(6)) for _ in range(draw(4)))


def some(n, kind):
    return [value(kind if kind < 7 else draw(7)) for _ in range(draw(n))]


for kind in range(8):
    s = [set(some(60, kind)) for _ in range(3)]
    for step in range(40):
        i, x, y, op = draw(3), s[draw(3)], s[draw(3)], draw(18)
        if op == 0:
            s[i] = x | y
        elif op == 1:
            s[i] = x & y
        elif op == 2:
            s[i] = x - y
        elif op == 3:
            s[i] = x ^ y
        elif op == 4:
            s[i] |= x
        elif op == 5:
            s[i] -= set(list(x)[::2])
        elif op == 6:
            s[i] ^= x
        elif op == 7:
            s[i].update(some(80, kind))
        elif op == 8:
            s[i].difference_update(list(s[i])[::3])
        elif op == 9:
            s[i] = {v for v in x}
        elif op == 10:
            s[i] = set(frozenset(x))
        elif op == 11:
            s[i] = {*x, *y, *some(5, kind)}
        elif op == 12:
            s[i] = x.union(y, some(9, kind))
        elif op == 13:
            s[i] = x.difference(some(20, kind), y)
        elif op == 14:
            for _ in range(min(len(s[i]), draw(20))):
                s[i].pop()
        elif op == 15:
            s[i] = set({v: 0 for v in x})
        elif op == 16:
            s[i] = x.symmetric_difference(some(20, kind))
        else:
            for v in some(40, kind):
                s[i].discard(v) if draw(2) else s[i].add(v)
        if kind < 6:
            print(step, op, len(s[i]), list(s[i])[:6], list(s[i])[-2:])
        else:
            print(step, op, len(s[i]), [len(v) if isinstance(v, frozenset) else v for v in list(s[i])[:20]])
print({30, 64, 8, 128, 1.5, 96, 33, (1, 2), 40, -1, -2, 256, 72, 104}, {1, 9, 17}, {1, 9}, {17, 9, 1, 25, 33})
