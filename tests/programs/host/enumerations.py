# Enumerations on both sides of a launch.
import enum
from enum import Enum, IntEnum, IntFlag, auto, unique

import numpy as np
from numba import cuda, njit


@unique
class Op(IntEnum):
    ADD = 0
    MUL = 1
    NEG = auto()


class Mode(Enum):
    COPY = "copy"
    TWICE = "twice"
    DOUBLE = "twice"

    def label(self):
        return f"<{self.name.lower()}>"

    @property
    def short(self):
        return self.value[0]

    @classmethod
    def first(cls):
        return list(cls)[0]


class Sides(enum.Enum):
    LOW, HIGH = (0, 1), (3, 4)
    NONE = None


class Access(IntFlag):
    READ = auto()
    WRITE = auto()
    RUN = auto()
    BOTH = READ | WRITE


class Bits(IntFlag):
    LOW = 1
    ALL = 15
    NEXT = auto()


class Below(Enum):
    FIRST = -7
    SECOND = auto()


N = len([1, 2, 3])
WHICH = Op(N - 2)
MODE = Mode.TWICE if N > 2 else Mode.COPY
RIGHTS = Access.READ | Access.RUN


@cuda.jit
def run(ops, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        if ops[i] == Op.ADD:
            out[i] = x[i] + y[i]
        elif ops[i] == Op.MUL:
            out[i] = x[i] * y[i]
        else:
            out[i] = -x[i]


@cuda.jit
def constants(op, out):
    out[0] = WHICH
    out[1] = op + 10
    out[2] = MODE is Mode.TWICE
    out[3] = WHICH == Op.MUL
    out[4] = RIGHTS
    out[5] = Below.SECOND.value


@njit
def opposite(op):
    if op == Op.ADD:
        return Op.NEG
    return Op.ADD


ops = np.array([Op.ADD, Op.MUL, Op.NEG, Op.MUL], dtype=np.int32)
x, y, out = np.arange(4.0), np.full(4, 3.0), np.zeros(4)
run[1, 32](ops, x, y, out)
print(ops, out)
six = np.zeros(6, dtype=np.int64)
constants[1, 1](Op.NEG, six)
print(six)
print(repr(opposite(Op.ADD)), opposite(Op.NEG).name)
for op in Op:
    print(op, op.name, op.value, repr(op), f"{op:>4}|{op.name:<6}|{op!r}|{op!s}", "%s %d" % (op, op))
print(Mode.COPY.label(), [m.label() for m in Mode], MODE, MODE.value, Mode.TWICE.short, Mode.first())
print(Mode.DOUBLE, Mode.DOUBLE is Mode.TWICE, len(Mode), Mode("copy"), Mode["COPY"], f"{MODE:>12}|")
print(Mode.COPY == "copy", Mode.COPY != Mode.TWICE, Mode.COPY in Mode, Mode.COPY in (MODE, Op.ADD))
print(list(Sides), Sides.HIGH.value[1], Sides((0, 1)), Sides.NONE.value, Sides.LOW.name, bool(Sides.NONE))
print(Op.MUL + 1, Op.MUL == 1, Op.NEG > Op.MUL, [10, 20, 30][Op.NEG], range(Op.NEG), Op.NEG * 1.5)
print(max(Op), sorted(Op, reverse=True), sum(Op), abs(Op.MUL), -Op.MUL, round(Op.NEG), int(Op.NEG))
print(isinstance(Op.ADD, int), isinstance(Op.ADD, Op), isinstance(MODE, Op), type(MODE) is Mode, type(MODE))
print(RIGHTS, repr(RIGHTS), RIGHTS & Access.RUN, repr(~Access.READ), repr(RIGHTS ^ Access.RUN), list(Access))
print(Access.RUN in RIGHTS, Access.WRITE in RIGHTS, Access.BOTH.name, repr(Access(0)), repr(Access.READ | 8))
print(Below.SECOND, repr(Below.SECOND), Op.__name__, Op, hasattr(Op, "SUB"), callable(Op))
print(np.array([1.5, 2.5, 3.5])[Op.NEG], np.arange(4)[Op.MUL :], np.int32(Op.NEG), np.zeros(Op.NEG))
print(Bits.NEXT, repr(~Bits.LOW), list(Bits), [isinstance(v, Enum) for v in (Op.ADD, MODE, Bits.LOW, 1)])
print([isinstance(v, (IntEnum, IntFlag)) for v in (Op.ADD, MODE, Bits.LOW, 1)], isinstance(MODE, int))
bytes_, floats = np.arange(3, dtype=np.int8), np.ones(2, dtype=np.float32)
print(bytes_ + Op.NEG, (bytes_ + Op.NEG).dtype, (np.int8(1) * Op.NEG).dtype, (floats * Op.NEG).dtype)
print((np.arange(3, dtype=np.uint64) - Op.MUL).dtype, np.where(bytes_ == Op.NEG, Op.ADD, bytes_).dtype)
print(np.result_type(np.int8, Op.NEG), np.result_type(np.int8, 2), np.maximum(bytes_, Op.NEG).dtype)
print(list(RIGHTS), len(RIGHTS), len(Access.BOTH), list(Access(0)), len(Access), tuple(Bits.NEXT))
one, two = Access.BOTH
print(one, two, [flag.name for flag in RIGHTS], sum(RIGHTS), sorted(RIGHTS, reverse=True), Access.RUN in list(RIGHTS))
