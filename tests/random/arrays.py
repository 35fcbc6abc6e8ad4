"""Random programs of arrays: what the host writes with NumPy, for runs beside NumPy.

program(seed) gives the text of a program and what it prints. It is drawn statement by statement, and
each is carried out by NumPy as it is drawn: what raises there, or casts what no integer holds, is
drawn anew. Operations are those that round in one way: no exp or sin, whose last digits are a
library's own.
"""
import contextlib
import io
import random
import re
import warnings

import numpy as np

np.seterr(all="ignore")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
DTYPES = ["bool_", *INTEGERS, *FLOATS, "float64", "float32", "int64", "int32"]
ARITHMETIC = ["+", "-", "*", "+", "-", "*", "/", "//", "%"]
BITS = ["&", "|", "^"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
UNARY = ["-{}", "+{}", "abs({})", "np.abs({})", "np.square({})", "np.sign({})", "np.floor({})",
         "np.ceil({})", "np.trunc({})", "np.rint({})", "np.isnan({})", "np.isfinite({})",
         "np.sqrt(np.abs({}))", "np.logical_not({})", "~{}", "np.reciprocal({})", "np.negative({})"]
BINARY = ["np.minimum({}, {})", "np.maximum({}, {})", "np.fmin({}, {})", "np.fmax({}, {})",
          "np.add({}, {})", "np.subtract({}, {})", "np.multiply({}, {})", "np.logical_and({}, {})",
          "np.logical_or({}, {})", "np.logical_xor({}, {})", "np.copysign({}, {})",
          "np.greater_equal({}, {})", "np.floor_divide({}, {})"]
REDUCTIONS = ["sum", "min", "max", "any", "all", "mean", "prod", "argmin", "argmax", "std", "var",
              "sum", "max"]
MOST = 3000             # elements of an array


class Drawer:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.space = {"np": np}
        self.names = []
        self.lines = []

    # ---- leaves -------------------------------------------------------------------------------

    def shape(self):
        r = self.r
        rank = r.choice([1, 1, 1, 2, 2, 2, 3, 0])
        most = {0: 1, 1: 40, 2: 12, 3: 6}[rank]
        shape = [r.randint(1, most) for _ in range(rank)]
        if rank and r.random() < 0.03:
            shape[r.randrange(rank)] = r.choice([0, 1])
        if rank == 1 and r.random() < 0.25:
            shape = [r.randint(100, 1500)]
        return tuple(shape)

    def scalar(self):
        r = self.r
        kind = r.random()
        if kind < 0.4:
            return str(r.randint(0, 9))
        if kind < 0.7:
            return str(r.randint(-16, 16) / 4)
        if kind < 0.75:
            return r.choice(["True", "False"])
        if kind < 0.8:
            return r.choice(["-1", "127", "255", "-128"])
        dtype = r.choice(DTYPES)
        return f"np.{dtype}({r.randint(0, 7)})"

    def fresh(self):
        r = self.r
        shape, dtype = self.shape(), r.choice(DTYPES)
        count = int(np.prod(shape, dtype=int))
        way = r.random()
        if way < 0.15:
            return f"np.{r.choice(['zeros', 'ones'])}({shape}, dtype=np.{dtype})"
        if way < 0.25:
            return f"np.full({shape}, {self.scalar()})"
        if way < 0.3:
            return f"np.linspace({r.randint(-4, 4)}, {r.randint(5, 9)}, {r.randint(1, 33)})"
        step, shift = r.choice([1, 3, 7, 11]), r.randint(0, 9)
        text = f"np.arange({shift}, {shift + step * count}, {step})"
        if r.random() < 0.8:
            text = f"({text} % {r.choice([5, 13, 17, 251])} - {r.choice([0, 0, 3, 8])})"
        if len(shape) != 1:
            text += f".reshape({shape})"
        if dtype in FLOATS and r.random() < 0.7:
            text = f"({text} * {r.choice(['0.25', '0.5', '1.1', '0.1'])})"
        return f"{text}.astype(np.{dtype})"

    def along(self, length):
        """What stands between brackets for an axis of that length."""
        r = self.r
        ends = [""] * 4 + [str(r.randint(-length - 1, length + 1))] * 2 + [
            str(r.choice([1, 2, -1, -2]))] * 2
        way = r.random()
        if way < 0.12 and length:
            return str(r.randint(-length, length - 1))
        if way < 0.3:
            return ":"
        if way < 0.4:
            return r.choice(["1:", ":-1", "::-1", "::2", "1:-1"])
        step = r.choice(["", "", ":", ":2", ":-1", ":3", ":-2"])
        return f"{r.choice(ends)}:{r.choice(ends)}{step}"

    def index(self, shape):
        r = self.r
        parts = [self.along(length) for length in shape[:r.randint(1, max(1, len(shape)))]]
        if r.random() < 0.1:
            parts.insert(r.randint(0, len(parts)), "None")
        if r.random() < 0.1:
            parts = ["...", self.along(shape[-1])] if shape else ["..."]
        return ", ".join(parts) if shape else "..."

    def view(self, name):
        r = self.r
        value = self.space[name]
        if not np.ndim(value):
            return name
        way = r.random()
        if way < 0.35:
            return name
        if way < 0.75:
            return f"{name}[{self.index(value.shape)}]"
        if way < 0.85:
            return f"{name}.T"
        if way < 0.9:
            return f"{name}.reshape(-1)"
        if way < 0.95:
            return f"{name}.ravel()[{self.along(value.size)}]"
        return f"{name}[{r.choice(['None', '::-1', '...'])}]" if value.ndim else f"{name}[None]"

    # ---- expressions --------------------------------------------------------------------------

    def value(self, depth):
        r = self.r
        if depth <= 0 or r.random() < 0.25:
            way = r.random()
            if way < 0.75 and self.names:
                return self.view(r.choice(self.names))
            return self.scalar() if way < 0.95 else self.fresh()
        return r.choice([self.binary, self.binary, self.binary, self.unary, self.called,
                         self.reduced, self.chosen, self.moved, self.cast, self.counted,
                         self.ordered, self.gathered, self.product])(depth - 1)

    def binary(self, depth):
        r = self.r
        operators = r.choice([ARITHMETIC, ARITHMETIC, ARITHMETIC, COMPARISONS, BITS])
        operator = r.choice(operators)
        if r.random() < 0.03:
            return f"({self.value(depth)} {r.choice(['<<', '>>'])} {r.randint(0, 3)})"
        if r.random() < 0.03:
            return f"({self.value(depth)} ** {r.choice(['2', '0.5', '2.0'])})"
        return f"({self.value(depth)} {operator} {self.value(depth)})"

    def unary(self, depth):
        return self.r.choice(UNARY).format(self.value(depth))

    def called(self, depth):
        return self.r.choice(BINARY).format(self.value(depth), self.value(depth))

    def chosen(self, depth):
        r = self.r
        if r.random() < 0.3:
            return f"np.clip({self.value(depth)}, {r.randint(-3, 1)}, {r.randint(1, 6)})"
        return f"np.where({self.value(depth)}, {self.value(depth)}, {self.value(depth)})"

    def axis(self, text):
        with contextlib.suppress(Exception):
            rank = np.ndim(eval(text, self.space))
            if rank:
                return self.r.choice(["", "", f"axis={self.r.randint(-rank, rank - 1)}"])
        return ""

    def reduced(self, depth):
        r = self.r
        text = self.value(depth)
        axis = self.axis(text)
        what = r.choice(REDUCTIONS)
        if axis and r.random() < 0.3 and what not in ("argmin", "argmax"):
            axis += ", keepdims=True"
        way = r.random()
        if way < 0.1:
            return f"np.cumsum({text}{', ' * bool(axis)}{axis.partition(',')[0]})"
        if way < 0.15:
            return f"np.sort({text}{', ' * bool(axis)}{axis.partition(',')[0]})"
        if way < 0.2:
            return f"np.count_nonzero({text})"
        if way < 0.25:
            return f"np.diff({text})"
        return f"np.{what}({text}{', ' * bool(axis)}{axis})"

    def moved(self, depth):
        r = self.r
        text = self.value(depth)
        return r.choice([
            f"np.concatenate([{text}, {self.value(0)}])", f"np.stack([{text}, {text}])",
            f"np.roll({text}, {r.randint(-3, 3)})", f"np.flip({text})", f"np.tile({text}, 2)",
            f"np.repeat({text}, 2)", f"np.transpose({text})", f"np.atleast_1d({text})[::-1]",
            f"np.ravel({text})", f"np.expand_dims({text}, 0)", f"np.copy({text})",
            f"np.zeros_like({text})", f"np.ones_like({text})"])

    def small(self, text):
        """Whole numbers from 0 on, few enough to count or to index with."""
        return f"(np.abs(np.nan_to_num(np.floor({text}))) % {self.r.randint(1, 9)}).astype(np.int64)"

    def counted(self, depth):
        r = self.r
        text = self.value(depth)
        low = r.randint(-5, 2)
        return r.choice([
            f"np.bincount({self.small(text)}.ravel())",
            f"np.bincount({self.small(text)}.ravel(), minlength={r.randint(0, 12)})",
            f"np.histogram({text}, bins={r.randint(1, 9)}, range=({low}, {r.randint(3, 20)}))[0]",
            f"np.histogram({self.small(text)}, bins=[0, 1, 2, 4, 8])[0]",
            f"np.unique({text})", f"np.searchsorted(np.unique({text}), {self.value(0)})",
            f"np.digitize({text}, [-2, 0, 1.5, 4])", f"np.flatnonzero({text})",
            f"np.count_nonzero({text})"])

    def ordered(self, depth):
        r = self.r
        text = self.value(depth)
        axis = self.axis(text).partition(",")[0]
        comma = ", " * bool(axis)
        return r.choice([
            f"np.argsort({text}{comma}{axis}, kind='stable')", f"np.sort({text}{comma}{axis})",
            f"np.cumsum({text}{comma}{axis})", f"np.cumprod({text}{comma}{axis})",
            f"np.sort(np.ravel({text}))[::-1]", f"np.ptp({text}{comma}{axis})",
            f"np.median({text})"])

    def gathered(self, depth):
        """Elements by masks and by indices."""
        r = self.r
        name = self.array()
        if not name:
            return self.value(depth)
        length = len(self.space[name]) if np.ndim(self.space[name]) else 0
        if not length or r.random() < 0.3:
            return f"{name}[{name} {r.choice(COMPARISONS)} {self.scalar()}]"
        chosen = [r.randint(-length, length - 1) for _ in range(r.randint(0, 5))]
        return r.choice([f"{name}[np.array({chosen}, dtype=np.int64)]",
                         f"np.take({name}, {chosen or [0]}, axis=0)",
                         f"{name}[np.argsort(np.arange({length}) * 7 % 11, kind='stable')]"])

    def product(self, depth):
        """Of numbers whose sums are exact in any order, as libraries add in theirs."""
        r = self.r
        left, right = (self.small(self.value(depth)) for _ in range(2))
        if r.random() < 0.5:
            left = f"{left}.astype(np.{r.choice(['float64', 'float32', 'int32', 'uint8'])})"
        return r.choice([f"({left} @ {right})", f"np.dot({left}, {right})",
                         f"np.outer({left}, {right})", f"np.matmul({left}, np.transpose({right}))",
                         f"({left} @ np.ravel({left}))"])

    def shifted(self, name):
        """An array written where it is read, by views that overlap."""
        r = self.r
        length = len(self.space[name])
        far = r.randint(1, max(1, min(3, length - 1)))
        there, here = r.choice([(f"{far}:", f":-{far}"), (f":-{far}", f"{far}:"), (":", "::-1"),
                                ("::-1", ":"), ("1:-1", "2:"), ("1::2", f":{2 * (length // 2)}:2")])
        way = r.random()
        if way < 0.5:
            return f"{name}[{there}] = {name}[{here}]"
        if way < 0.75:
            return f"{name}[{there}] {r.choice(['+', '-', '*'])}= {name}[{here}]"
        return f"{name}[{there}] = {name}[{here}] + {name}[{there}] * {r.randint(0, 3)}"

    def cast(self, depth):
        text, dtype = self.value(depth), self.r.choice(DTYPES)
        return f"np.asarray({text}).astype(np.{dtype if self.fits(text, dtype) else 'float64'})"

    def fits(self, text, dtype):
        """Whether no float of an expression is beyond the integers of a dtype."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = np.asarray(eval(text, self.space))
        except Exception:
            return False
        if value.dtype.kind != "f" or np.dtype(f"{dtype}").kind not in "iu" or not value.size:
            return True
        limits = np.iinfo(dtype)
        return bool(np.isfinite(value).all() and value.min() >= limits.min / 2 and
                    value.max() <= limits.max / 2)

    # ---- statements ---------------------------------------------------------------------------

    def array(self):
        arrays = [name for name in self.names if np.ndim(self.space[name])]
        return self.r.choice(arrays) if arrays else None

    def statement(self):
        r = self.r
        way = r.random()
        name = self.array()
        if way < 0.12 or not name:
            new = f"v{len(self.names)}"
            return f"{new} = {self.fresh()}"
        if way < 0.55:
            new = f"v{len(self.names)}" if len(self.names) < 8 else r.choice(self.names)
            return f"{new} = {self.value(3)}"
        if way < 0.63:
            operators = ["+", "-", "*", "//", "%", "/", "&", "|", "^"]
            return f"{name} {r.choice(operators)}= {self.value(2)}"
        if way < 0.68 and self.space[name].ndim:
            return self.shifted(name)
        index = self.index(self.space[name].shape)
        if way < 0.85:
            return f"{name}[{index}] = {self.value(3)}"
        if way < 0.92:
            return f"{name}[{index}] {r.choice(['+', '-', '*', '//', '|'])}= {self.value(2)}"
        if way < 0.96:
            if not self.space[name].ndim:
                return f"{name}[...] = {self.scalar()}"
            return f"{name}[{name} {r.choice(COMPARISONS)} {self.scalar()}] = {self.scalar()}"
        value = self.value(1)
        if self.space[name].dtype.kind != "f" and not self.is_whole(value):
            value = "2"
        return (f"for i in range({r.randint(1, 3)}):\n"
                f"    {name}[{index}] = {name}[{index}] + i * {value}")

    def is_whole(self, text):
        with contextlib.suppress(Exception):
            return np.asarray(eval(text, self.space)).dtype.kind in "biu"
        return False

    def carried_out(self, text):
        """Whether NumPy can do it, with arrays of a size that suits."""
        before = {name: np.copy(value) if isinstance(value, np.ndarray) else value
                  for name, value in self.space.items() if name in self.names}
        stored = re.match(r"(v\d+)\[[^=]*\] = (.*)", text)
        if stored and not self.fits(stored[2], self.space[stored[1]].dtype):
            return False
        try:
            with warnings.catch_warnings(), np.errstate(all="warn"):
                warnings.simplefilter("ignore")
                warnings.filterwarnings("error", message=".*in reciprocal")
                warnings.filterwarnings("error", message="invalid value encountered in cast")
                warnings.filterwarnings("error", message=".*[Oo]ut.?of.?bound.*")
                warnings.filterwarnings("error", message="overflow encountered in cast")
                exec(text, self.space)
        except Exception:
            good = False
        else:
            good = all(np.size(self.space[name]) <= MOST for name in self.space
                       if name.startswith("v") and np.ndim(self.space[name]) <= 6) and all(
                np.ndim(self.space[name]) <= 6 and np.asarray(self.space[name]).dtype != np.float16
                for name in self.space if name.startswith("v"))
        if not good:
            for name in [name for name in self.space if name.startswith("v")]:
                if name not in before:
                    del self.space[name]
                elif isinstance(before[name], np.ndarray) and isinstance(
                        self.space[name], np.ndarray) and (
                        self.space[name].shape == before[name].shape) and (
                        self.space[name].dtype == before[name].dtype):
                    self.space[name][...] = before[name]
                else:
                    return None     # what shared its memory cannot be told any more
        return good

    def draw(self, statements):
        while len(self.lines) < statements:
            text = self.statement()
            if "\n" not in text and " = " in text and text.split(" = ")[0].isidentifier():
                target = text.split(" = ")[0]
            else:
                target = None
            fine = self.carried_out(text)
            if fine is None:
                return False
            if not fine:
                continue
            if target and target not in self.names:
                self.names.append(target)
            self.lines.append(text)
            shown = target or self.r.choice(self.names)
            self.lines.append(f"show({shown})")
        return True


SHOW = """def show(x):
    x = np.asarray(x)
    if x.dtype == np.uint64:    # kjit's integers have 63 bits and a sign
        x = x.astype(np.int64)
    elif x.dtype == np.float32 or x.dtype == np.float64:
        x = x + np.float32(0)   # of the zeros, minimum() and its like take any
    print(x.dtype, x.shape, x.tolist())


"""


SHOW_END = ".tolist())\n\n\n"


def program(seed, statements=24, shown=""):
    """The text of a program, and what NumPy prints for it: of arrays what `shown` takes of them."""
    again = 0
    while True:
        drawer = Drawer(f"{seed}.{again}")
        if drawer.draw(statements):
            break
        again += 1
    body = "\n".join(drawer.lines) + "\n"
    text = "import numpy as np\n\n\n" + SHOW.replace("x.tolist", f"x{shown}.tolist") + body
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "program", "exec"), {"__name__": "__main__"})
    return text, out.getvalue()


def record(first, count, folder):
    """Programs and what they print as tests/programs/host/check.py compares them."""
    drawn = [program(seed, 16, ".ravel()[:16]") for seed in range(first, first + count)]
    for ending, part in (("txt", 0), ("out", 1)):
        with open(f"{folder}/random.{ending}", "w") as file:
            file.write("----\n".join(texts[part].partition(SHOW_END)[2] if part == 0 else texts[1]
                                     for texts in drawn))


if __name__ == "__main__":
    import sys
    if len(sys.argv) == 4:      # FIRST COUNT FOLDER
        record(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    else:
        print(program(int(sys.argv[1]))[0], end="")
