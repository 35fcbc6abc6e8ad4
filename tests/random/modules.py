#!/usr/bin/env python3
"""Random modules: what a kernel's names stand for must be what CPython binds them to.

    modules.py [--kjit build/kjit] [--first SEED] [--count N] [--keep FOLDER] [--program]

A seed makes a module with branches, loops, functions that make kernels, classes, `try`, `match`, imports
names that are bound again, arrays that are changed by another name or by what Python calls of an
object, and kernels that store what they read. CPython runs it, cuda.jit being
nothing, and then the kernels as functions; kjit compiles each kernel that is bound in the end, and what the
IR stores must be the same. With --program, `kjit run FILE` launches them itself. A message in place of a
result is counted; another value, a crash or an internal error is a failure, and its module is left in
FOLDER. Ends in `N passed, N failed`.
"""
import argparse
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLOTS = 6
ARRAYS = ["U", "V", "W"]
CONSTANTS, HOSTS, DEVICES, KERNELS, MAKERS = ["A", "B", "C", "D"], ["h", "w"], ["f", "g"], ["k", "m", "n"], ["make", "build"]


# What an object's class has of Python's own, and a statement that makes Python call it.
SPECIALS = [("__hash__", "{{{0}: 1}}"), ("__eq__", "{0} in [1]"), ("__lt__", "[{0}, {0}].sort()"), ("__round__", "round({0})"),
            ("__enter__", "with {0}: pass"), ("__exit__", "with {0}: pass"), ("__getattr__", "{0}.absent"), ("__call__", "{0}()"),
            ("__del__", "del {0}"), ("__format__", "f'{{{0}}}'"), ("__repr__", "f'{{[{0}]}}'"), ("__index__", "[1, 2][{0}]"),
            ("__add__", "{0} + 1"), ("__rsub__", "1 - {0}"), ("__iadd__", "{0} += 1"), ("__ior__", "{0} |= 1"), ("__neg__", "-{0}"),
            ("__setattr__", "{0}.own = 1"), ("__setitem__", "{0}[0] = 1"), ("__delitem__", "del {0}[0]"), ("__getitem__", "{0}[0]"),
            ("__contains__", "1 in {0}"), ("__bool__", "1 if {0} else 2"), ("__len__", "len({0})"), ("__abs__", "abs({0})"),
            ("__iter__", "list({0})"), ("__array__", "np.asarray({0})"), ("__copy__", "copy.copy({0})"), ("__float__", "float({0})")]
# Ways to change an array: {0} and {1} are arrays, {2} is a number.
CHANGES = ["{0}[0] = {2}", "{0}[:] = {1}", "{0} += {2}", "{0}.fill({2})", "{0}.sort()", "np.add({0}, {1}, {0})", "np.copyto({0}, {1})",
           "np.multiply({0}, {2}, out={1})", "{0}[::-1][0] = {2}", "{0}.reshape(2, 1)[0] = {2}", "for item in ({0}, {1}): item[1] = {2}",
           "(lambda a: a.fill({2}))({0})", "list(map(change, [{0}]))", "change({0})", "[item.fill({2}) for item in [{0}]]",
           "held = {{'a': {0}}}; held['a'][0] = {2}", "held = [{0}, {1}]; held[1][1] = {2}", "first, *more = [{0}, {1}]; more[0][0] = {2}",
           "(held := {0})[1] = {2}", "next(give({0}))[0] = {2}", "taker = take(); next(taker); taker.send({0})", "fill = {0}.fill; fill({2})",
           "functools.partial(change, {0})()", "operator.setitem({0}, 0, {2})", "operator.methodcaller('fill', {2})({0})",
           "getattr({0}, 'fill')({2})", "getattr(np, 'copyto')({0}, {1})", "copied({0}, {1})", "eval('{0}.fill({2})')",
           "globals()['{0}'][0] = {2}", "({0} if A > 2 else {1})[0] = {2}", "np.asarray({0})[1] = {2}", "memoryview({0})[0] = 1.0"]
# The same of programs, which have less of Python.
PLAIN = CHANGES[:19] + ["change({0})"] * 3


class Maker:
    """The text of one module, and of the one that it imports."""

    def __init__(self, seed, program=False):
        self.random, self.lines, self.program = random.Random(seed), [], program
        self.inside = []        # what the statement at hand stands in: "def", "class", "loop", "branch"
        self.names = []         # constants that are bound here: parameters, above all
        self.makers, self.classes = [], []

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def add(self, line):
        self.lines.append("    " * len(self.inside) + line)

    def either(self, module, program):
        """Programs have no classes and no dictionaries, neither `try` nor `match`."""
        return program if self.program else module

    # ---- values -----------------------------------------------------------------------------------

    def name(self):
        return self.pick(self.names) if self.names and self.chance(0.5) else self.pick(CONSTANTS)

    def atom(self):
        return self.name() if self.chance(0.6) else str(self.random.randrange(6))

    def value(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.atom()
        a, b = self.value(depth - 1), self.value(depth - 1)
        return self.pick([
            f"({a} + {b})", f"({a} - {b})", f"{a} * {b} % 7", f"({a} if {self.condition(depth - 1)} else {b})",
            f"max({a}, {b})", f"abs({a} - {b})", f"({a}, {b})[{self.pick('01')}]", f"len(WORD) + {a}",
            f"{self.pick(HOSTS)}({a})", self.either(f"TABLE.get({a} % 3, {b})", f"TABLE[{a} % 3 - 1]"), f"sum(i for i in range({a} % 5))",
            f"[{a}, {b}, 3][-1]", f"int(str(abs({a})))", f"{a} // 2", f"other.BASE + {a}", self.either(f"Box.size + {a}", f"len(TABLE) + {a}"),
            f"TABLE[{a} % 2]", f"sorted([{a}, {b}])[0]", f"bool({a})", f"({a} or {b})", f"({a} and {b})"])

    def condition(self, depth=1):
        a, b = self.value(depth and depth - 1), self.value(depth and depth - 1)
        return self.pick([f"{a} {self.pick(['<', '>', '==', '!=', '<=', '>='])} {b}", f"{a} % 2", f"not {a} % 3",
                          f"WORD == {self.pick(['chr(97)', repr('sum'), repr('max')])}", f"{a} in ({b}, 2)",
                          f"{a} in TABLE", f"{a} > 1 and {b} < 4", f"isinstance({a}, int)"])

    # ---- statements -------------------------------------------------------------------------------

    def block(self, kind, count=None):
        self.inside.append(kind)
        for _ in range(count or self.pick([1, 1, 2])):
            self.statement()
        self.inside.pop()

    def statement(self):
        deep = len(self.inside) > 2
        kinds = [self.constant] * 5 + [self.device, self.kernel, self.augment, self.both]
        if not deep:
            kinds += [self.branch] * 4 + [self.loop, self.host, self.maker] + self.either([self.trial, self.match], [])
        if not self.inside:
            kinds += [self.made] * 3 + [self.either(self.klass, self.host), self.change, self.setter, self.star, self.lost, self.while_]
        if "def" not in self.inside and "class" not in self.inside:
            kinds += [self.alias, self.array, self.array, self.array] + self.either([self.object], [])
        if "def" in self.inside and "class" not in self.inside and "loop" not in self.inside:
            kinds += [self.returns]
        self.pick(kinds)()

    def constant(self):
        name = self.pick(self.names or CONSTANTS) if self.chance(0.3) else self.pick(CONSTANTS)
        self.add(f"{name} = {self.value()}")

    def both(self):
        a, b = self.pick(CONSTANTS), self.pick(CONSTANTS)
        if a != b:
            self.add(self.pick([f"{a}, {b} = {self.name()}, {self.value(1)}", f"{a} = {b} = {self.value(1)}"]))

    def augment(self):
        self.add(f"{self.pick(CONSTANTS)} {self.pick(['+=', '-=', '|='])} {self.value(1)}")

    def branch(self):
        self.add(f"if {self.condition()}:")
        self.block("branch")
        for _ in range(self.pick([0, 0, 1, 2])):
            self.add(f"elif {self.condition()}:")
            self.block("branch")
        if self.chance(0.6):
            self.add("else:")
            self.block("branch")

    def loop(self):
        counter = self.pick(["i", "j", *CONSTANTS])
        self.add(f"for {counter} in {self.pick([f'range({self.atom()} % 4)', '(3, 1, 2)', 'range(3)', 'sorted(TABLE)', '[]'])}:")
        self.names.append(counter)
        self.block("loop")
        if self.chance(0.3):
            self.inside.append("loop")
            self.add(f"if {self.condition()}: {self.pick(['break', 'continue'])}")
            self.constant()
            self.inside.pop()
        self.names.pop()

    def while_(self):
        name = self.pick(CONSTANTS)
        self.add(f"{name} = {self.random.randrange(4)}")
        self.add(f"while {name} > 0:")
        self.inside.append("loop")
        self.add(f"{self.pick(CONSTANTS)} = {self.value(1)}")
        self.add(f"{name} -= 1" if self.chance(0.5) else f"{name} = {name} // 2")
        if self.chance(0.3):
            self.add(f"if {self.condition()}: break")
        self.inside.pop()

    def trial(self):
        self.add("try:")
        self.inside.append("branch")
        self.add(self.pick([f"{self.pick(CONSTANTS)} = TABLE[{self.value(1)}]", f"{self.pick(CONSTANTS)} = 6 // {self.atom()}",
                            "import nowhere", "from other import missing", f"{self.pick(CONSTANTS)} = {self.value()}",
                            "absent", f"raise {self.pick(['KeyError', 'ValueError'])}"]))
        self.inside.pop()
        self.block("branch", 1)
        self.add(f"except {self.pick(['Exception', 'KeyError', '(ImportError, NameError)', 'ImportError', 'ZeroDivisionError'])}:")
        self.block("branch", 1)
        if self.chance(0.2):
            self.add(self.pick(["else:", "finally:"]))
            self.block("branch", 1)

    def match(self):
        self.add(f"match {self.pick([self.value(1), 'WORD'])}:")
        self.inside.append("branch")
        for case in self.random.sample(["0", "1 | 2", "'sum'", "3", "[x]", "int()"], 2) + ["_"] * self.chance(0.6):
            self.add(f"case {case}:")
            self.block("branch", 1)
        self.inside.pop()

    def change(self):
        self.add(self.pick([f"TABLE[{self.atom()}] = {self.value(1)}", self.either(f"TABLE.update({{1: {self.atom()}}})", f"TABLE.append({self.atom()})"), "set_it()",
                            self.either(f"Box.size = {self.value(1)}", "TABLE += [5]"), f"WORD = {self.pick(['max', 'sum'])!r}", f"del TABLE[{self.atom()}]",
                            self.either(f"TABLE = {{0: {self.atom()}, 1: 2}}", f"TABLE = [{self.atom()}, 1, 2]"), f"other.BASE = {self.atom()}",
                            f"print({self.atom()}, (A := {self.value(1)}))", f"globals()['A'] = {self.atom()}"]))

    def setter(self):
        self.add("def set_it():")
        self.add(f"    global {self.pick(CONSTANTS)}, A")
        self.inside.append("def")
        if self.chance(0.4):
            self.branch()
        self.add(f"A = {self.value(1)}")
        self.inside.pop()

    def star(self):
        self.add(self.pick(["from other import *", "from other import A", "from other import f as g", "import other as again"]))

    def lost(self):
        self.add(f"{self.pick(CONSTANTS)} = {self.pick(['other.A', 'other.h(2)', 'int(WORD == chr(97))', 'len(TABLE)'])}")

    # ---- functions --------------------------------------------------------------------------------

    def host(self):
        self.add(f"def {self.pick(HOSTS)}(v):")
        self.inside.append("def")
        self.names.append("v")
        if self.chance(0.5):
            self.add(f"if {self.condition()}: return {self.value(1)}")
        if self.chance(0.3):
            self.add("for i in range(3):")
            self.add("    v += i")
        self.add(f"return {self.pick(['v', self.atom()])} + {self.atom()}")
        self.names.pop()
        self.inside.pop()

    def device(self):
        name = self.pick(DEVICES)
        if self.chance(0.2):
            self.add(f"{name} = {self.pick(['lambda x: x', 'cuda.jit(device=True)(lambda x: x)'])[:-1]}x + {self.atom()}"
                     .replace("(lambda x: x +", "(lambda x: x +"))
            self.lines[-1] += ")" if "cuda" in self.lines[-1] else ""
            return
        self.add(f"@adding({self.atom()})" if self.chance(0.2) else "@cuda.jit(device=True)")
        if self.chance(0.4):
            self.add(f"def {name}(x, by={self.value(1)}):")
            self.add(f"    return x + {self.atom()} + 10 * by")
            return
        self.add(f"def {name}(x):")
        self.add(f"    return x + {self.atom()}")

    def kernel(self, name=None):
        self.add(self.pick(["@cuda.jit", "@cuda.jit()", "@cuda.jit(fastmath=True)"]))
        self.add(f"def {name or self.pick(KERNELS)}(y{self.pick(['', '', ', z=3'])}):")
        reads = [self.name, self.name, lambda: f"{self.pick(ARRAYS)}[{self.pick('01')}]", lambda: f"{self.pick(DEVICES)}({self.atom()})", lambda: self.either("Box.size", "A"),
                 lambda: "other.BASE"]
        for i in range(self.pick([1, 2, 3])):
            self.add(f"    y[{i}] = {self.pick(reads)()}")

    def returns(self):
        value = self.pick([self.pick(KERNELS), self.pick(KERNELS), f"{self.pick(KERNELS)} if {self.condition()} else {self.pick(KERNELS)}"])
        if self.inside[-1] == "branch" or self.chance(0.2):
            self.add(f"return {value}")

    def maker(self):
        name = self.pick(MAKERS)
        self.add(f"def {name}(p, q={self.atom()}):")
        self.inside.append("def")
        self.names += ["p", "q"]
        for other in self.random.sample(CONSTANTS, 4):  # a name that is assigned is the function's own
            self.add(f"{other} = {self.pick(['p', 'q', '1', '2'])}")
        self.kernel()
        for _ in range(self.pick([1, 2, 3])):
            self.statement()
        if self.chance(0.4):
            self.kernel()
        if self.makers and self.chance(0.15):
            self.add(f"return {self.pick(self.makers)}(p - 1, q)")
        elif self.chance(0.3):
            self.add(f"return {self.pick(KERNELS)} if {self.condition()} else {self.pick(KERNELS)}")
        else:
            self.add(f"return {self.pick(KERNELS)}")
        del self.names[-2:]
        self.inside.pop()
        self.makers.append(name)

    def made(self):
        if not self.makers:
            return self.maker()
        given = lambda: self.pick([self.atom(), f"{self.atom()}, {self.atom()}", f"q={self.atom()}, p={self.atom()}"])
        call = lambda: f"{self.pick(self.makers)}({given()})"
        self.add(self.pick([f"{self.pick(KERNELS)} = {call()}", f"{self.pick(KERNELS)} = {call()}",
                            f"k, m = {call()}, {call()}", f"n = {call()} if {self.condition()} else {call()}"]))
        return None

    def alias(self):
        a, b, c = (self.pick(KERNELS) for _ in range(3))
        self.add(self.pick([f"{a} = {b}", f"{a} = {b} if {self.condition()} else {c}", f"{a}, {b} = {b}, {a}",
                            f"{self.pick(DEVICES)} = {self.pick(DEVICES)}"]))

    def array(self):
        a, b = self.pick(ARRAYS), self.pick(ARRAYS)
        way = self.pick(self.either(CHANGES, PLAIN)).format(a, b, self.random.randrange(9))
        self.add(self.pick([f"{a} = {b}", f"{a} = np.array([{self.value(1)}, 3.0])", f"{a} = {b}[::-1]", f"{a}, {b} = {b}, {a}", *[way] * 6]))

    def object(self):
        """Of a class, or of one that has it from its base or metaclass, which changes an array."""
        special, use = self.pick(SPECIALS)
        array = self.pick(["self.a", *ARRAYS])
        self.add(f"class Own{self.pick(['', '(Kept)', '(list)'])}:")
        if "self" in array:
            self.add("    def __init__(self, a): object.__setattr__(self, 'a', a)")
        self.add(f"    def {special}(self, *about):")
        self.add(f"        {array}[{self.pick('01')}] = {self.random.randrange(9)}")
        self.add(f"        return {dict(__format__=repr(''), __repr__=repr(''), __iter__='iter([])', __float__='1.0', __array__='np.zeros(2)', __bool__='True', __contains__='True', __del__='None').get(special, 'self' if special[2] == 'i' and special != '__index__' else '1')}")
        self.add(f"own = Own({self.pick(ARRAYS) if 'self' in array else ''})")
        self.add(use.format("own"))

    def klass(self):
        self.add(f"class Box{self.pick(['', '(Base)'])}:")
        self.inside.append("class")
        if self.chance(0.8):
            self.add(f"size = {self.value(1)}")
        if self.chance(0.4):
            self.branch()
        self.add("@staticmethod")
        self.kernel("k")
        self.inside.pop()

    # ---- modules ----------------------------------------------------------------------------------

    def start(self):
        if not self.program:
            self.lines += ["class Base:", "    size = 9", "class Box(Base):", "    pass"]
        self.lines += ["import copy, functools, operator", "class Kept:", "    pass", "def copied(a, b):", "    from numpy import copyto", "    copyto(a, b)",
                       "def take():", "    a = yield", "    a[1] = 7", "    yield"] if not self.program else []
        self.lines += ["def adding(v):", "    def decorated(f):", "        def added(x):", "            return f(x) + v * 20",
                       "        return cuda.jit(device=True)(added)", "    return decorated"]
        self.lines += ["def change(a):", "    a[0] = 8", "def give(a):", "    yield a"]
        self.lines += [f"{name} = np.array([{self.random.randrange(5)}.0, {self.random.randrange(5)}.0])" for name in ARRAYS]
        self.lines += ["WORD = 'sum'", self.either("TABLE = {0: 3, 1: 4}", "TABLE = [3, 4]")]
        for name in CONSTANTS:
            self.add(f"{name} = {self.random.randrange(5)}")
        for name in HOSTS:
            self.lines += [f"def {name}(v):", f"    return v + {self.random.randrange(3)}"]
        for name in DEVICES:
            self.lines += ["@cuda.jit(device=True)", f"def {name}(x):", f"    return x + {self.random.randrange(3)}"]
        for name in KERNELS:
            self.lines += ["@cuda.jit", f"def {name}(y):", f"    y[0] = {self.pick(CONSTANTS)}"]

    def module(self):
        self.lines = ["import numpy as np", "from numba import cuda", "import other"]
        self.start()
        for _ in range(self.pick([4, 6, 9])):
            self.statement()
        return "\n".join(self.lines) + "\n"


OTHER = """from numba import cuda
BASE = 40
A = 41
def h(v):
    return v + 42
@cuda.jit(device=True)
def f(x):
    return x + 43
"""


def plain(*args, **options):
    """cuda.jit, which leaves a function as it is."""
    return args[0] if args and callable(args[0]) else plain


def stand_ins():
    numba, cuda, other = types.ModuleType("numba"), types.ModuleType("numba.cuda"), types.ModuleType("other")
    cuda.jit, numba.cuda = plain, cuda
    sys.modules.update({"numba": numba, "numba.cuda": cuda, "other": other})
    exec(compile(OTHER, "other.py", "exec"), other.__dict__)


def as_python(text):
    """{kernel: what it leaves} by CPython; None: the module does not run."""
    stand_ins()
    names = {"__name__": "__main__", "print": lambda *values: None}
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        exec(compile(text, "module.py", "exec"), names)
    except BaseException:  # whatever the module raises, or that it does not end
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    found = {}
    kernels = [(name, names.get(name)) for name in KERNELS] + [("Box.k", getattr(names.get("Box"), "k", None))]
    for name, kernel in kernels:
        y = [0] * SLOTS
        try:
            kernel(y)
            found[name] = [float(value) for value in y]
        except Exception:  # it reads what is not there, or is none
            continue
    return found


def as_kjit(kjit, path, name):
    """What the IR of a kernel stores, or the message."""
    run = subprocess.run([kjit, "build", f"{path}:{name}", "--sig", "(float64[:])", "--emit", "ir", "--facts=launch"],
                         capture_output=True, text=True, check=False, timeout=100)
    if run.returncode:
        return run.stderr if run.returncode in (1, 2, 3) and "internal error" not in run.stderr else f"!{run.stderr}"
    y = [0.0] * SLOTS
    for at, value in re.findall(r"store y\[(\d+):\w+\] = (\S+)", run.stdout):
        try:
            y[int(at)] = float(value)
        except ValueError:
            return f"!{run.stdout}"
    return y


def as_program(kjit, path, text, names):
    """The same by a program that launches the kernels."""
    launches = "".join(f"\ny = np.zeros({SLOTS})\n{name}[1, 1](y)\nprint(y.tolist())" for name in names)
    path.write_text(text + launches + "\n")
    run = subprocess.run([kjit, "run", path, "--device", "cpu"], capture_output=True, text=True, check=False, timeout=100)
    if run.returncode:
        return [run.stderr if "internal error" not in run.stderr and run.returncode < 5 else f"!{run.stderr}"] * len(names)
    return [eval(line) for line in run.stdout.splitlines()[-len(names):]]


def compare(options, folder, seed, counts):
    text = Maker(seed, options.program).module()
    wanted = as_python(text)
    path = folder / f"m{seed}.py"
    if not wanted:
        return
    path.write_text(text)
    if options.program:
        found = dict(zip(wanted, as_program(options.kjit, path, text, list(wanted))))
    else:
        found = {name: as_kjit(options.kjit, path, name) for name in wanted}
    wrong = False
    for name, y in wanted.items():
        got = found[name]
        if got == y:
            counts["passed"] += 1
        elif isinstance(got, str) and not got.startswith("!"):
            counts["refused"] += 1
            message = re.sub(r"; it has.*", "", re.sub(r"'[^']*'|\d+", "_", next((line for line in got.splitlines() if "rror" in line or "kjit:" in line), got)))
            counts["why"][message.split(": ", 1)[-1][:110]] = counts["why"].get(message.split(": ", 1)[-1][:110], 0) + 1
        else:
            counts["failed"] += 1
            wrong = True
            print(f"{path}:{name}: {got}\n    but CPython: {y}")
    if not wrong:
        path.unlink()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default=ROOT / "build" / "kjit", type=lambda name: pathlib.Path(name).absolute())
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--program", action="store_true")
    parser.add_argument("--why", action="store_true", help="tell of the messages")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    counts = {"passed": 0, "failed": 0, "refused": 0, "why": {}}
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        (folder / "other.py").write_text(OTHER)
        for seed in range(options.first, options.first + options.count):
            compare(options, folder, seed, counts)
    for why, count in sorted(counts["why"].items(), key=lambda item: -item[1]) if options.why else ():
        print(f"{count:6} {why}")
    print(f"{counts['refused']} refused with a message")
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    sys.exit(bool(counts["failed"]))


if __name__ == "__main__":
    main()
