"""What lies at the limits: arguments that are refused, roots of paths, wide numbers, deep objects."""
import calendar
import datetime as dt
import io
import json
import math
import os.path
from decimal import Decimal
from fractions import Fraction

import numpy as np


def tried(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


# Integers beyond 64 bits, and units beyond them.
for n in (2**63 - 1, -2**63, 2**64 + 5, 15 * 10**20, 25 * 10**20, -25 * 10**20, 7):
    print([round(n, -digits) for digits in (0, 1, 3, 18, 19, 20, 21, 22, 400000)], round(n, 2))
half = Fraction(-7, 2)
print(math.floor(half), math.ceil(half), math.trunc(half), 2 ** Fraction(-3), half.__floor__())
tried(lambda: 0 ** Fraction(-1))
x = Decimal("-3.7")
print(math.floor(x), math.ceil(x), math.trunc(x), 2 ** Decimal(3), "%.1f %d %s" % (x, x, x))
tried(lambda: Decimal(1) % 0)
tried(lambda: Decimal("1e50") // 3)
tried(lambda: Decimal("1e50") % 3)


class Near:
    def __floor__(self): return "floor"
    def __trunc__(self): return "trunc"
    def __float__(self): return 2.5
    def __index__(self): return 10


print(math.floor(Near()), math.ceil(Near()), math.trunc(Near()), "%g %x" % (Near(), Near()))
tried(lambda: math.trunc(1j))
tried(lambda: math.floor(1j))

# Paths.
print(os.path.relpath("/a/b", "/"), os.path.relpath("/", "/a"), os.path.relpath("/", "/"),
      os.path.relpath("/a/b/c", "/a/d"), os.path.normpath("//a/../b"), os.path.normpath("///a"),
      os.path.curdir, os.path.pardir, os.path.extsep)
tried(lambda: os.path.relpath(""))

# Days and times.
day, now = dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 13, 5, 9, 120)
for function in (
        lambda: dt.date(2024, 1.5, 1), lambda: dt.date.fromordinal(0), lambda: dt.date.max,
        lambda: dt.date.max + dt.timedelta(1), lambda: dt.datetime.max + dt.timedelta(1),
        lambda: dt.date.min - dt.timedelta(1), lambda: day.replace(yeer=1),
        lambda: day.replace(hour=1), lambda: now.replace(hour=1), lambda: dt.time(1).replace(day=3),
        lambda: dt.date.fromisoformat("2024-2-29"), lambda: dt.date.fromisoformat("20240229"),
        lambda: dt.datetime.fromisoformat("2024-02-29T10:11:12.5"),
        lambda: dt.datetime.fromisoformat("20240229 10:11"), lambda: dt.date.fromisoformat("x"),
        lambda: dt.datetime.fromisoformat("2024-02-29T1:2"),
        lambda: dt.datetime.fromisoformat("2024-02-29T"), lambda: now.isoformat(timespec="hours"),
        lambda: now.isoformat(timespec="minutes"), lambda: now.isoformat(timespec="days"),
        lambda: f"{dt.time(3, 4):%H-%M}", lambda: dt.timedelta(hours=1) % dt.timedelta(minutes=7),
        lambda: divmod(dt.timedelta(hours=1), dt.timedelta(minutes=7)), lambda: +dt.timedelta(2),
        lambda: calendar.leapdays(2001, 1900), lambda: calendar.monthrange(2024, 13)):
    tried(function)
for compared in (lambda: dt.time(1) < 3, lambda: 1 + day, lambda: dt.timedelta(1) * "a"):
    try:
        compared()
    except TypeError:
        print("TypeError")

# Texts.
for text in ('"\\u12"', '"\\u12', '"\\ud83d\\ude00"'):
    tried(lambda: ascii(json.loads(text)))
columns = "True,false,x\nFALSE,TRUE,1\n"
tried(lambda: np.genfromtxt(io.StringIO(columns), delimiter=",", dtype=bool))
tried(lambda: np.loadtxt(io.StringIO("1 0 2"), dtype=bool))
tried(lambda: np.loadtxt(io.StringIO("1 2"), dtype=[("a", "i4"), ("b", "f8")]).shape)
tried(lambda: np.loadtxt(io.StringIO("1 2\n3 4"), usecols=-3))
tried(lambda: np.zeros(2, "U3").itemsize)

# Parameters of distributions.
for make in (np.random.default_rng, np.random.RandomState):
    r = make(7)
    for function in (
            lambda: r.normal(0, -1), lambda: r.exponential(-2), lambda: r.rayleigh(-1),
            lambda: r.lognormal(0, -1), lambda: r.laplace(0, -1), lambda: r.weibull(-1),
            lambda: r.chisquare(0), lambda: r.gamma(1, -1), lambda: r.gamma(float("nan")),
            lambda: r.poisson(1e20), lambda: r.poisson([1, 1e20]), lambda: r.beta(1, 0),
            lambda: r.geometric(1e-9, 4), lambda: r.geometric(0.2, 4), lambda: r.normal(0, 0.0)):
        tried(function)
print(np.random.default_rng(7).geometric(1e-20, 2))


# Objects within objects, and functions without an end.
class Endless:
    def __getattr__(self, name):
        return getattr(self, name + "x")


class Less:
    def __len__(self):
        return -1


try:
    Endless().q
except RecursionError:
    print("RecursionError")
tried(lambda: len(Less()))
pairs = ()
for i in range(200000):
    pairs = (i, pairs)
print(len(pairs), pairs[0], hasattr(np.int32(1), "__index__"), hasattr(np.float32(1), "__index__"))
