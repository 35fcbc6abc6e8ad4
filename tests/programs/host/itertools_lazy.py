"""itertools, whose items are computed when they are asked for, and functools."""
import functools
import itertools
import itertools as it
from functools import reduce, lru_cache, cache
from itertools import (accumulate, chain, count, cycle, dropwhile, groupby, islice, permutations,
                       product, repeat, takewhile, zip_longest)


def said(x):
    print("at", x)
    return x


print(list(islice(count(3), 4)), list(islice(count(0, 0.5), 1, 7, 2)), list(islice("abcdef", 2, None)), list(islice(range(9), 3)))
print([c + str(i) for i, c in zip(range(5), cycle("ab"))], list(repeat(7, 3)), next(repeat("x")))
print(next(accumulate(map(said, count()))), list(accumulate([1, 2, 3], lambda a, b: a * b, initial=10)), list(accumulate([])))
print(list(takewhile(lambda x: x < 3, count())), list(islice(dropwhile(lambda x: x < 5, count()), 2)))
print(list(chain("ab", [1], ())), list(chain.from_iterable([[1, 2], (3,)])), list(it.compress("abcd", [1, 0, 1, 1])))
for key, group in groupby("aaabbc"):
    print(key, len(list(group)), end=" ")
print([(k, list(g)) for k, g in groupby([1, 3, 4, 6, 7], key=lambda x: x % 2)], list(groupby([])))
print(list(zip_longest("abc", [1], fillvalue="-")), list(it.filterfalse(lambda x: x % 2, range(5))), list(it.pairwise([1, 4, 9])), list(it.pairwise([])))
print(list(product("ab", repeat=2)), list(product()), list(product([1], [])))
print(list(permutations("abc", 2)), len(list(permutations(range(5)))), list(it.combinations("abcd", 2)), list(it.combinations([], 0)), list(it.combinations_with_replacement("ab", 2)))
for p in permutations(range(9)):
    if p[0] == 1:
        print(p)
        break
a, b = itertools.tee(x * x for x in range(3))
print(list(a), list(b), list(it.starmap(pow, [(2, 3), (3, 2)])))
print(reduce(lambda a, b: a * b, range(1, 11)), reduce(lambda a, b: a + [b * 2], [1, 2, 3], []), functools.reduce(max, [3], 9))


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@cache
def paths(i, j):
    return 1 if i == 0 or j == 0 else paths(i - 1, j) + paths(i, j - 1)


@functools.lru_cache
def named(text, n):
    print("computes", text, n)
    return text * n


def traced(f):
    @functools.wraps(f)
    def inner(*args):
        print("calls", args)
        return f(*args)
    return inner


@traced
def add(a, b):
    return a + b


print(fib(80), paths(14, 14), named("a", 2), named("b", 2), named("a", 2), add(1, 2))
groups = groupby([1, 1, 2, 2])
first, ones = next(groups)
print(first, next(ones), next(groups)[0], list(ones), [list(g) for g in [g for _, g in groupby("aab")]])
for tens, group in groupby(count(8), lambda i: i // 10):
    print(tens, next(group), next(group))
    if tens == 1:
        break
before, after = itertools.tee(map(said, count()))
print(next(before), next(after), next(after), next(before), itertools.tee([], 0))
