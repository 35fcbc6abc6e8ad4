"""argparse, functools and dataclasses."""
import argparse, functools, dataclasses, sys
from dataclasses import dataclass, field, asdict
from pathlib import Path
@functools.lru_cache(maxsize=2)
def f(x, y=0):
    "doc"
    print("call", x, y); return x + y
print(f(1), f(1), f(2, y=3), f(3), f(1), f.cache_info(), f.__name__, f.__doc__)
@functools.cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(60), fib.cache_info().misses, sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a)))
@dataclass
class C:
    n: int = 1
    xs: list = field(default_factory=list)
@dataclass
class D:
    c: C
    t: tuple = (1, 2)
d = D(C(2, [1]))
print(asdict(d), dataclasses.astuple(d), dataclasses.replace(d, t=5), [x.name for x in dataclasses.fields(C)], dataclasses.is_dataclass(d))
p = argparse.ArgumentParser(prog="prog", description="Does things.", epilog="That is all.", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
p.add_argument("file", type=Path, help="the file")
p.add_argument("more", nargs="*", help="others")
p.add_argument("-n", "--size", type=int, default=10, metavar="N", help="how many")
p.add_argument("--verbose", "-v", action="count", default=0)
p.add_argument("--mode", choices=["fast", "slow"], default="fast", help="the mode to run in, which is a long help text that needs more than one line")
p.add_argument("--flag", action=argparse.BooleanOptionalAction, default=True)
g = p.add_mutually_exclusive_group()
g.add_argument("--a", action="store_true"); g.add_argument("--b", type=float)
q = p.add_argument_group("output", "where it goes")
q.add_argument("-o", "--out", required=False)
print(p.parse_args("x.txt a b -n5 -vv --mode=slow --no-flag --b 2.5".split()))
print(p.parse_args(["y", "--siz", "3", "--out=z"]))
print(p.format_usage(), end="")
print(p.format_help())
ns = p.parse_args(["y"]); print("size" in ns, vars(ns)["size"], ns == p.parse_args(["y"]))
print(p.parse_known_args(["y", "--zzz", "1"]))
s = argparse.ArgumentParser(prog="tool")
s.add_argument("--debug", action="store_true")
sub = s.add_subparsers(dest="cmd", required=True, help="what to do")
r = sub.add_parser("run", help="runs"); r.add_argument("n", type=int); r.set_defaults(func=len)
t = sub.add_parser("test", help="tests"); t.add_argument("--k", default="1", type=int)
print(s.parse_args(["--debug", "run", "3"]).n, s.parse_args(["test"]))
print(s.format_help()); print(r.format_usage())
for args in (["x", "-n", "abc"], [], ["x", "--mode", "zip"], ["x", "--nope"], ["x", "--a", "--b", "1"], ["x", "-n"], ["-h"]):
    try:
        p.parse_args(args)
    except SystemExit as e:
        print("exit", e.code)
for args in ([], ["fly"], ["run"], ["run", "x"]):
    try: s.parse_args(args)
    except SystemExit as e: print("exit", e.code)
