import numbers, argparse
from collections.abc import Sequence
from functools import singledispatch, singledispatchmethod
def f(a, b=2, *args, c=4, **k):
    z = 1
    y = 2
    return list(locals().items())
print(f(1), f(b=3, a=2), f(1, 2, 3, d=5, c=6))
class L:
    def __init__(self, lr=1, iters=2):
        self.__dict__.update(locals())
        del self.__dict__["self"]
print(vars(L(iters=4)), vars(L()))
print(pow(3, -1, 11), pow(3, -2, 11), pow(10**20 + 1, -1, 10**30 + 57), pow(3, -1, -11), pow(5, -1, 1), pow(-3, -1, 7))
for bad in ((2, -1, 4), (0, -1, 7), (2, 3, 0)):
    try:
        pow(*bad)
    except ValueError as e:
        print(e)
@singledispatch
def show(x):
    return "any"
@show.register
def _(x: numbers.Integral):
    return f"integral {x}"
@show.register(Sequence)
def _(x):
    return f"sequence {len(x)}"
@show.register(str)
def _(x):
    return f"text {x}"
print(show(3), show(True), show("abc"), show([1, 2]), show((1,)), show(2.5), show(None))
p = argparse.ArgumentParser(prog="x")
s = p.add_subparsers(dest="c", metavar="CMD")
s.add_parser("map", help="one", aliases=["m", "mm"]).set_defaults(k=1)
s.add_parser("add", help="two")
p.print_help()
print(p.parse_args(["mm"]), p.parse_args(["add"]))
