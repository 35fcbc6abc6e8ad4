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
