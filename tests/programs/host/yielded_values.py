# What a yield is worth, returned and added.
def total(*parts):
    s = 0
    for part in parts:
        s += yield from part
    return s


def count(n):
    for i in range(n):
        yield i
    return n


def last():
    return (yield from count(2))


def answer():
    return (yield "?")


def running():
    mean, items = 0.0, []
    while len(items) < 4:
        items += yield mean
        mean = sum(items) / len(items)
    return items


def moved():
    s = 1

    def more():
        nonlocal s
        s = 100
        yield "inner"
        return 5
    s += yield from more()
    return s


def drained(generator, sent=None):
    given = []
    try:
        given.append(next(generator))
        while True:
            given.append(generator.send(sent))
    except StopIteration as stop:
        return given, stop.value


print(drained(total(count(2), count(3))))
print(drained(last()), drained(answer(), 42), drained(running(), [2, 4]), drained(moved()))
thrown = answer()
next(thrown)
try:
    thrown.throw(KeyError("k"))
except KeyError as e:
    print(repr(e))
many = [total(count(i), count(2)) for i in range(3)]
print([drained(one) for one in many])
