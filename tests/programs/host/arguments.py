# argparse: what its defaults are, and lists of arguments that programs give themselves.
import argparse


def parser():
    made = argparse.ArgumentParser(description="n-body", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    made.add_argument("-n", "--bodies", type=int, default=1024, help="how many (default: %(default)s)")
    made.add_argument("--time-step", dest="dt", type=float, default="0.5")
    made.add_argument("--mode", choices=["naive", "tiled"], default="naive")
    made.add_argument("--check", action="store_true")
    made.add_argument("--no-copy", action="store_false", dest="copy")
    made.add_argument("-s", default=None)
    return made


args = parser().parse_args()
print(args, args.bodies * 2, args.dt, args.check, args.copy, args.s)
args = parser().parse_args(["-n", "8", "--mode=tiled", "--check", "--time-step", "0.25", "--no-copy", "-s", "x=y"])
print(args, args.mode, args.bodies)
args.bodies += 1
print(args.bodies, hasattr(args, "none"), getattr(args, "dt"))
positional = argparse.ArgumentParser()
positional.add_argument("size", type=int, nargs="?", default=16)
positional.add_argument("name", nargs="?")
print(positional.parse_args([]), positional.parse_args(["3", "run"]))


many = argparse.ArgumentParser(prog="many", usage="many ...", add_help=False)
group = many.add_argument_group("sizes", "of the grid")
group.add_argument("--grid", type=int, nargs=2, default=(4, 4), metavar=("X", "Y"))
group.add_argument("--tags", nargs="*")
group.add_argument("--files", nargs="+", default=["a.npy"])
many.add_argument("-v", "--verbose", action="count", default=0)
many.add_argument("-I", action="append", dest="include")
many.add_argument("--fast", action="store_const", const=9, default=1)
many.add_argument("--level", nargs="?", type=int, const=5, default=0)
one = many.add_mutually_exclusive_group()
one.add_argument("--cpu", action="store_true")
one.add_argument("--gpu", action="store_true")
many.add_argument("first", nargs="?", default="f")
many.add_argument("others", nargs="*", type=int)
many.set_defaults(extra="e", fast=2)
for given in ([], ["--grid", "2", "3", "-v", "-v", "-I", "x", "-I=y", "--fast", "--level", "--gpu"],
              ["--tags", "--files", "p", "q", "--level", "7", "--cpu", "-v"], ["name", "1", "2", "-v", "--tags", "t"],
              ["--level", "-3", "n"]):
    print(many.parse_args(given))
inputs = argparse.ArgumentParser()
inputs.add_argument("sources", nargs="+")
inputs.add_argument("target")
print(inputs.parse_args(["a", "b", "c"]), inputs.parse_args(["a", "z"]))
known, rest = many.parse_known_args(["g"])
print(known.first, rest)
