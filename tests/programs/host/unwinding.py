"""Generators and contexts that are left by what is raised."""
from contextlib import closing, contextmanager, nullcontext, suppress


def counted():
    try:
        for i in range(5):
            try:
                got = yield i
                if got:
                    print("got", got)
            except ValueError as e:
                print("in generator:", e)
                yield "after"
            else:
                print("went on", i)
            finally:
                print("step", i)
    finally:
        print("closed")


for x in counted():
    print(x)
    if x == 1:
        break

g = counted()
print(next(g), g.send("hello"))
print(g.throw(ValueError("thrown")), next(g))
g.close()
print(list(g))
try:
    next(g)
except StopIteration as e:
    print("stopped", e.value)


def returns():
    yield 1
    return "value"


h = returns()
next(h)
try:
    next(h)
except StopIteration as e:
    print(e.value, e.args)


def inner():
    try:
        yield 1
        yield 2
    except KeyError as e:
        print("inner has", e)
        yield 3
    return "inner is done"


def outer():
    got = yield from inner()
    print(got)
    try:
        yield 4
    finally:
        print("outer ends")


o = outer()
print(next(o), o.throw(KeyError("k")), next(o))
try:
    o.throw(IndexError, )
except IndexError as e:
    print("passed", repr(e))


def fails():
    yield 1
    raise StopIteration("inside")


try:
    list(fails())
except RuntimeError as e:
    print(e, repr(e.__cause__))


class Timer:
    def __init__(self, name, takes=()):
        self.name, self.takes = name, takes

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind and kind.__name__, value, trace is None)
        return kind is not None and issubclass_of(value, self.takes)


def issubclass_of(value, takes):
    return isinstance(value, takes) if takes else False


with Timer("a") as t:
    print(t.name)
with Timer("b", (ZeroDivisionError,)):
    1 / 0
try:
    with Timer("c"), Timer("d", (KeyError,)) as d:
        raise ValueError(d.name)
except ValueError as e:
    print("out", e)


def from_within(k):
    with Timer(k):
        return k * 2


def loop():
    for i in range(3):
        with Timer(i):
            if i == 0:
                continue
            break
    return i


print(from_within("w"), loop())


def lines():
    with Timer("lines"):
        yield 1
        yield 2


for line in lines():
    print(line)
for line in lines():
    print(line)
    break


@contextmanager
def managed(name, fails=False):
    print("before", name)
    try:
        yield name.upper()
    except ValueError as e:
        print("handles", e)
        if fails:
            raise KeyError("changed") from e
    finally:
        print("behind", name)


with managed("x") as m:
    print(m)
with managed("y"):
    raise ValueError("taken")
try:
    with managed("z", True):
        raise ValueError("taken")
except KeyError as e:
    print(repr(e), repr(e.__cause__))
try:
    with managed("t"):
        raise TypeError("passes")
except TypeError as e:
    print(e)


def early():
    with managed("r"):
        return 5


print(early())
with suppress(KeyError, IndexError):
    [][0]
    print("never")
with nullcontext(3) as n:
    print(n)
with closing(counted()) as c:
    print(next(c))


def asked():
    try:
        yield 1
    except GeneratorExit:
        print("exit asked")
        raise


for value in asked():
    break


def within():
    with Timer("within") as t:
        yield t.name


def first():
    for name in within():
        for again in within():
            return name, again


print(first())


def overtakes():
    while True:
        try:
            try:
                raise ValueError(1)
            except ValueError:
                continue
            finally:
                print("inner")
                break
        finally:
            print("outer")
    return "end"


print(overtakes())
