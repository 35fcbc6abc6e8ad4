"""Generators, and what gives its items one by one: each is computed when it is asked for."""
import numpy as np


def count(start=0, step=1):
    while True:
        yield start
        start += step


def first(n, items):
    taken = []
    for item in items:
        if len(taken) == n:
            break
        taken.append(item)
    return taken


print(first(5, count()), first(3, count(10, -2)))
g = count(7)
print(next(g), next(g), next(g))


def said(x):
    print("asked for", x)
    return x * x


squares = (said(i) for i in range(10))
print("nothing yet")
print(next(squares), next(squares))
for s in squares:
    if s > 20:
        break
print(next(squares), sum(squares), list(squares), next(squares, "none left"))


def walk(depth, path=()):
    yield path
    if depth:
        for branch in "ab":
            yield from walk(depth - 1, path + (branch,))
    else:
        yield "leaf"


print(["".join(p) for p in walk(2)])


def averages():
    total, n = 0.0, 0
    while True:
        value = yield total / n if n else None
        if value is None:
            return n
        total += value
        n += 1


a = averages()
next(a)
print([a.send(x) for x in (1, 2, 6)])


def delegating():
    n = yield from averages()
    print("it took", n)
    yield "done"


d = delegating()
print(next(d), d.send(4), d.send(6), next(d), next(d, "end"))


def primes(n):
    for i in range(2, n):
        for k in range(2, i):
            if i % k == 0:
                break
        else:
            yield i
    else:
        yield "else"
    i = 0
    while i < 2:
        i += 1
        if i % 2:
            yield ("odd", i)
        elif i:
            yield ("even", i)
    else:
        yield "while else"


print(list(primes(20)))
print([(i, j) for i, j in zip(count(), "abc")], list(zip()), list(zip([1], [])))
print(first(3, enumerate(count(5), start=1)), list(enumerate("xy")))
print(first(4, map(lambda a, b: a * b, count(), count(1))), first(2, filter(None, count())), list(filter(lambda x: x % 2, range(6))))
print(list(reversed([1, 2, 3])), list(reversed("abc")), [r.tolist() for r in reversed(np.arange(6).reshape(3, 2))])
it = iter([1, 2, 3])
print(next(it), list(it), next(it, 9))
print(any(said(x) > 3 for x in count()), all(x < 3 for x in count()), 5 in count(), max(x % 7 for x in range(20)))
print(sum(i * j for i in range(4) if i % 2 for j in range(i, 5) if j != 3), "".join(c + "." for c in "abc"))


def steps(u, n):
    for k in range(n):
        u = 0.5 * (u + np.roll(u, 1))
        yield k, u


for k, u in steps(np.arange(8.0), 4):
    print(k, u)
head, *rest = (i * i for i in range(4))
print(head, rest, *(i for i in range(3)))
n = 3
later = (n * i for i in range(3))
n = 10
print(list(later))
closed = count()
next(closed)
closed.close()
print(next(closed, "closed"), sorted((3, 1, 2)), tuple(x for x in range(2)))
fib = lambda: (x for x in [1, 1, 2])
print(*fib(), sep=",")
nested = [[x for x in range(i)] for i in range(3)]
print(nested, list(list(range(k)) for k in (1, 2)))
pairs = zip(*[iter([1, 2, 3, 4, 5, 6])] * 2)
print(list(pairs))


def burn():
    """Uses up what texts are made in."""
    return len(str(list(range(100000))) + str(list(range(100000))) + str(list(range(100000))))


def hundreds(own):
    burn()
    return list(y * 100 for y in own)


burn()
print(list(x + 1 for x in hundreds([1, 2])))
print(hundreds([1, 2]))


def rest_first(x):
    """Takes all that is left of what it is called for, and then has old lists swept."""
    for _ in left:
        pass
    for i in range(160000):
        both = [i, x, (i, i)]
    return True


left = filter(rest_first, [[1, 1], [2, 2], [3, 3]])
print(list(left))
