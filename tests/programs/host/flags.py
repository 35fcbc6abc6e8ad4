import enum
from enum import Flag, IntFlag, auto
class Flags(Flag):
    NONE = 0
    GRAD = auto()
    LEAF = auto()
    KEEP = auto()
    BOTH = GRAD | LEAF
class Bare(enum.Flag):
    A = 1
    B = 2
class Perm(IntFlag):
    R = 4
    W = 2
f = Flags.GRAD | Flags.KEEP
print(f, repr(f), Flags.BOTH, repr(Flags.BOTH), f.value, f.name, bool(Flags.NONE), bool(f), Flags.GRAD in Flags.BOTH, Flags.KEEP in Flags.BOTH)
print(Flags.BOTH & Flags.LEAF, Flags.BOTH ^ Flags.GRAD, ~Flags.GRAD, f == Flags.GRAD | Flags.KEEP, f is Flags(5), Flags.GRAD == 1, Flags.GRAD != 1, isinstance(f, int))
print(Bare(0), repr(Bare(0)), list(Flags), [x.name for x in f], len(f), Bare.A | Bare.B, Flags.NONE, {f: 1}[Flags.GRAD | Flags.KEEP], f"{f}|{Flags.LEAF:>12}")
for bad in (lambda: Flags.GRAD | 1, lambda: Flags.GRAD + Flags.LEAF, lambda: Flags.GRAD < Flags.LEAF, lambda: Flags.GRAD | Bare.A, lambda: -Flags.GRAD):
    try:
        print(bad())
    except TypeError as e:
        print("TypeError")
g = Flags.NONE
g |= Flags.LEAF
print(g, "leaf" if g & Flags.LEAF else "none", g not in (Flags.NONE,), Perm.R | Perm.W, Perm.R | 1, Perm.R + 1, type(f), Flags["BOTH"])
print(isinstance(f, Flags), isinstance(f, Flag), isinstance(Perm.R, Flag), isinstance(f, enum.Enum), hash(f) == hash(Flags(5)))
