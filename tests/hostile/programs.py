"""Programs that are wrong in ways small and enormous, and odd ones that are right."""

from case import COMMAND, DONE, FAILED, PROGRAM, RUN_K, Case


def kernel(*lines):
    """A kernel k(a) of the lines."""
    return "@cuda.jit\ndef k(a):\n" + "".join(f"    {line}\n" for line in lines)


def wrong_programs():
    yield "tabs mixed with spaces", "@cuda.jit\ndef k(a):\n        a[0] = 1\n\ta[1] = 2\n"
    yield "invalid UTF-8 in a name", b"@cuda.jit\ndef k(a):\n    \xff\xfe = 1\n"
    yield "invalid UTF-8 in a comment", b"# \xc3\x28\n" + kernel("a[0] = 1").encode() + b"\xc3"
    yield "overlong UTF-8", b"@cuda.jit\ndef k(a):\n    \xc0\xaf = 1\n"
    yield "a surrogate in UTF-8", b"@cuda.jit\ndef k(a):\n    \xed\xa0\x80 = 1\n"
    yield "a NUL byte", b"@cuda.jit\ndef k(a):\n    a[0] = \x001\n"
    yield "random bytes", bytes((i * 167 + 13) % 251 for i in range(5000))
    yield "10,000 nested brackets", kernel("a[0] = " + "(" * 10_000 + "1" + ")" * 10_000)
    yield "10,000 open brackets", kernel("a[0] = " + "(" * 10_000)
    yield "10,000 nested indices", kernel("a[0] = " + "a[" * 10_000 + "0" + "]" * 10_000)
    yield "10,000 nested calls", kernel("a[0] = " + "abs(" * 10_000 + "1" + ")" * 10_000)
    yield "10,000 signs", kernel("a[0] = " + "-" * 10_000 + "1")
    yield "10,000 nots", kernel("a[0] = " + "not " * 10_000 + "1")
    yield "10,000 powers", kernel("a[0] = " + "1 ** " * 10_000 + "1")
    yield "10,000 conditional expressions", kernel("a[0] = " + "1 if a else " * 10_000 + "1")
    yield "10,000 lambdas", kernel("a[0] = " + "lambda: " * 10_000 + "1")
    yield "2,000 nested blocks", "@cuda.jit\ndef k(a):\n" + "".join(
        " " * (i + 1) + "if a[0] > 1:\n" for i in range(2000)
    ) + " " * 2001 + "a[0] = 1\n"
    yield "an attribute 10,000 deep", kernel("a[0] = a" + ".x" * 10_000)
    yield "a decorator and nothing", "@cuda.jit\n"
    yield "10,000 wrong decorators", "@nothing\n" * 10_000 + "def k(a):\n    a[0] = 1\n"
    yield "an open string", kernel("print('abc)")
    yield "an open docstring", '"""abc\n' + kernel("a[0] = 1")
    yield "an open bracket", kernel("a[0] = (1")
    yield "a stray dedent", "@cuda.jit\ndef k(a):\n        a[0] = 1\n    a[1] = 1\n"
    yield "a number of 100,000 digits", kernel("a[0] = " + "9" * 100_000)
    yield "a number beyond 64 bits", kernel("a[0] = 18446744073709551616")
    yield "a number with two underscores", kernel("a[0] = 1__0")
    yield "1,000 errors", kernel(*["a[0] = missing"] * 1000)
    yield "a function that calls itself for ever", "def f(x):\n    return f((x, x))\n\n\n" + kernel(
        "a[0] = f(1)"
    )
    yield "two functions that call each other", (
        "def f(x):\n    return g(x)\n\n\ndef g(x):\n    return f(x)\n\n\n" + kernel("a[0] = f(1)")
    )
    yield "an import of nothing there", "from nowhere import f\n\n\n" + kernel("a[0] = f(1)")
    yield "an import of itself", "from k import f\n\n\n" + kernel("a[0] = f(1)")
    yield "an import from elsewhere", "from ..k import f\n\n\n" + kernel("a[0] = f(1)")
    yield "10,000 changes of a constant", "A = 1\n" + "A += 1\n" * 10_000 + kernel("a[0] = A")
    yield "1,000 branches of constants", "if x:\n    A = 1\n" + "".join(
        f"elif x + {i}:\n    A{i} = {i}\n    A = {i}\n" for i in range(990)
    ) + kernel("a[0] = A")
    yield "10,000 nested f-strings", kernel("print(" + "f'{" * 10_000)
    yield "40 f-strings inside one another", kernel("print(" + "f'{" * 40 + "a" + "}'" * 40 + ")")
    yield "a constant that calls itself", "def f(n):\n    return f(n)\n\n\nA = f(1)\n" + kernel(
        "a[0] = A")
    yield "a constant of many steps", (
        "def f(n):\n    while n:\n        n += 1\n    return n\n\n\nA = f(1)\n" + kernel("a[0] = A"))
    yield "90 nested factories", "".join(
        " " * i + f"def f{i}(a{i}=1):\n" for i in range(90)
    ) + " " * 90 + "@cuda.jit\n" + " " * 90 + "def k(a):\n" + " " * 91 + "a[0] = undefined\n"
    yield "a constant of itself", "A = B\nB = A\n\n\n" + kernel("a[0] = A")
    yield "a constant divided by zero", "A = 1 // 0\n\n\n" + kernel("a[0] = A")
    yield "a constant without end", "A = 9 ** 9 ** 9 ** 9\n\n\n" + kernel("a[0] = A")
    yield "a tuple without end", "A = (1,) * 10 ** 12\n\n\n" + kernel("a[0] = A[0]")
    yield "a shift without end", "A = 1 << 10 ** 18\n\n\n" + kernel("a[0] = A")
    yield "a shared array of a negative size", kernel(
        "s = cuda.shared.array(-1, float32)", "a[0] = s[0]"
    )
    yield "a shared array of nine dimensions", kernel(
        "s = cuda.shared.array((1, 1, 1, 1, 1, 1, 1, 1, 1), float32)",
        "a[0] = s[0, 0, 0, 0, 0, 0, 0, 0, 0]",
    )
    yield "a shared array of no known size", kernel(
        "s = cuda.shared.array(a.size, float32)", "a[0] = s[0]"
    )
    yield "a kernel that returns", kernel("return 1")
    yield "a parameter twice", "@cuda.jit\ndef k(a, a):\n    a[0] = 1\n"
    yield "a class", "class A:\n    pass\n\n\n" + kernel("a[0] = A()")
    yield "a name bound by a loop", "for A in range(3):\n    plot(A)\n" + kernel("a[0] = A")
    yield "a store into a number", kernel("x = 1", "x[0] = 1", "a[0] = x")
    yield "a string as a number", kernel("a[0] = 'abc'")
    yield "an unpacking that does not fit", kernel("x, y = 1, 2, 3", "a[0] = x")


def levels(first, *lines, count=24):
    """f0 as given, and `count` functions of the lines, each of which names the one before LESS."""
    text = first
    for level in range(1, count + 1):
        text += "".join(f"{line}\n" for line in lines).replace("ITSELF", f"f{level}").replace(
            "LESS", f"f{level - 1}"
        )
    return text


def diamonds():
    """Programs like odd_programs() that double with each level where nothing is shared."""
    calls = "LESS(h, x) if x > 0 else LESS(h, x)"
    for name, passed in (
        ("lambdas", ["    n = 1", "    h = lambda v: g(v) + n - n", f"    return {calls}"]),
        (
            "functions in functions",
            ["    def h(v):", "        return g(v)", f"    return {calls}"],
        ),
        (
            "functions in loops",
            [
                "    y = 0",
                "    for i in range(2):",
                "        h = lambda v, d=1.0: g(v) * d",
                f"        y += ({calls}) if i else 0",
                "    return y",
            ],
        ),
        (
            "functions in tuples",
            ["    t = lambda v: g(v), lambda v: g(v)", "    h = t[0]", f"    return {calls}"],
        ),
    ):
        yield f"24 levels of {name} passed on", levels(
            "def f0(g, x):\n    return g(x)\n", "def ITSELF(g, x):", *passed
        ) + kernel("a[0] = f24(lambda v: v, a[0] + 1)")


def doubling():
    """Wrong programs that double with each level, and what kjit is to say of it."""
    start = "def f0(x):\n    cuda.syncthreads()\n    return x + 1\n"
    yield "30 levels of calls that wait", levels(
        start, "def ITSELF(x):", "    return LESS(x) + LESS(x + 1)", count=30
    ) + kernel("a[0] = f30(1)"), "'f12' becomes too long for the processor"
    start = "def f0(g):\n    return 1\n"
    yield "30 levels of calls with new types", levels(
        start, "def ITSELF(g):", "    return LESS((g, 1)) + LESS((g, 1.0))", count=30
    ) + kernel("a[0] = f30(1)"), "more than 10000 functions"
    start = "def f0(g):\n    return g(1)\n"
    yield "30 levels of calls with new functions", levels(
        start,
        "def ITSELF(g):",
        "    return LESS(lambda v: g(v) + 1) + LESS(lambda v: g(v) + 2)",
        count=30,
    ) + kernel("a[0] = f30(lambda v: v)"), "more than 10000 functions"
    pairs = ["t0 = a[0], a[1]", *(f"t{i} = (t{i - 1}, t{i - 1})" for i in range(1, 31))]
    more = "more than 4096 items"
    yield "30 levels of tuples", kernel(*pairs, "u = t30 if a[0] > 2 else t29"), more
    yield "30 levels of tuples compared", kernel(*pairs, "a[0] = t30 == t30"), more
    yield "30 levels of tuples added", kernel(
        "t0 = a[0], a[1]", *(f"t{i} = t{i - 1} + t{i - 1}" for i in range(1, 31)), "a[0] = t30[1]"
    ), more
    yield "30 levels of constants", "C0 = 1\n" + "".join(
        f"C{i} = C{i - 1}, C{i - 1}\n" for i in range(1, 31)
    ) + kernel("a[0] = C30" + "[0]" * 30), more
    yield "30 levels of tuples passed on", levels(
        "def f0(x):\n    return 1\n", "def ITSELF(x):", "    return LESS((x, x))", count=30
    ) + kernel("a[0] = f30(1)"), more


def odd_programs():
    """Programs that are right, and store 1 in a[0]."""
    yield "CRLF", kernel("a[0] = 1").replace("\n", "\r\n")
    yield "no newline at the end", kernel("a[0] = 1").rstrip()
    yield "a byte order mark", "\ufeff" + kernel("a[0] = 1")
    yield "tabs throughout", kernel("if True:", "    a[0] = 1").replace("    ", "\t")
    yield "names that C has taken", kernel(
        "int = 1",
        "double = int",
        "register = double",
        "NULL = register",
        "main = NULL",
        "errno = main",
        "asm = errno",
        "struct = asm",
        "a[0] = struct",
    )
    yield "names that are not ASCII", kernel(
        "gr\u00f6\u00dfe = 1", "\u03b1 = gr\u00f6\u00dfe", "a[0] = \u03b1"
    )
    yield "a name of 100,000 bytes", kernel("x" * 100_000 + " = 1", "a[0] = " + "x" * 100_000)
    yield "2,000 assignments", kernel(*["x = a[1]"] * 2000, "a[0] = 1 + x")
    yield "a printed text with C's signs", kernel(
        r"""print('%s %n \\ " /* ??/ */ \n', 1)""", "a[0] = 1"
    )
    yield "a docstring with C's signs", kernel(r'"""*/ #error \\"""', "a[0] = 1")
    yield "a comment that C would go on with", kernel("a[0] = 1  # \\", "a[1] = 2")
    yield "a class that is its own __init__", (
        "class Box:\n    pass\n\n\nBox.__init__ = Box\nboxes = [] and Box(1)\n\n\n"
        + kernel("a[0] = 1"))
    for sign in "+*":
        yield f"40 values, each {sign} itself the next", kernel(
            "x0 = cuda.grid(1)",
            *[f"x{n + 1} = x{n} {sign} x{n}" for n in range(40)],
            "if x0 < a.size:",
            "    a[(x0 + x40) % a.size] = 1",
        )
    yield from diamonds()


def source_cases():
    for name, text in wrong_programs():
        yield Case(f"program: {name}", RUN_K, PROGRAM, r"k\.k:\d+:\d+: error: ", {"k.k": text})
    for name, text, says in doubling():
        yield Case(f"program: {name}", RUN_K, PROGRAM, says, {"k.k": text})
    for name, text in odd_programs():
        yield Case(
            f"program works: {name}",
            [*RUN_K, "--save", "a=out.npy"],
            DONE,
            files={"k.k": text},
            wrote=[1],
        )
    for name, text in (
        ("empty", ""),
        ("a docstring alone", '"""Nothing."""\n'),
        ("blank lines", "\n" * 100_000),
        ("device functions alone", "def f(x):\n    return x\n"),
    ):
        yield Case(f"program: {name}", RUN_K, {PROGRAM, COMMAND}, files={"k.k": text})
    yield Case(
        "program: 3,000 sums",
        RUN_K,
        {DONE, PROGRAM},
        files={"k.k": kernel("a[0] = 1" + " + a[1]" * 3000)},
    )
    yield Case(
        "program: 300 parameters",
        ["run", "k.k", "--device", "cpu", "--grid", "1x1", *[f"p{i}={i}" for i in range(300)]],
        {DONE, PROGRAM, COMMAND},
        files={
            "k.k": "@cuda.jit\ndef k(" + ", ".join(f"p{i}" for i in range(300)) + "):\n    pass\n"
        },
    )
    yield Case(
        "program: a shared array beyond any device",
        RUN_K,
        {PROGRAM, COMMAND, FAILED},
        files={"k.k": kernel("s = cuda.shared.array(1 << 40, float32)", "s[0] = 1", "a[0] = s[0]")},
    )
    yield Case(
        "program: a local array beyond any device",
        RUN_K,
        {PROGRAM, COMMAND, FAILED},
        files={"k.k": kernel("s = cuda.local.array(1 << 40, float32)", "s[0] = 1", "a[0] = s[0]")},
    )
    yield Case(
        "program: a shape beyond 64 bits",
        RUN_K,
        {PROGRAM, COMMAND, FAILED},
        files={
            "k.k": kernel("s = cuda.shared.array((1 << 40, 1 << 40), float32)", "a[0] = s[0, 0]")
        },
    )
    yield Case(
        "program: an import cycle",
        RUN_K,
        PROGRAM,
        r"error: ",
        {
            "k.k": "from one import f\n\n\n" + kernel("a[0] = f(1)"),
            "one.k": "from two import g\n\n\ndef f(x):\n    return g(x)\n",
            "two.k": "from one import f\n\n\ndef g(x):\n    return f(x)\n",
        },
    )
    yield Case(
        "program: an error in an import",
        RUN_K,
        PROGRAM,
        r"one\.k:\d+:\d+: error: ",
        {
            "k.k": "from one import f\n\n\n" + kernel("a[0] = f(1)"),
            "one.k": "def f(x):\n    return missing + x\n",
        },
    )
    yield Case(
        "program: an @example that is wrong",
        ["run", "k.k", "--device", "cpu"],
        {PROGRAM, COMMAND},
        files={"k.k": "@example(a=zeroes(4), grid=0, block=-1)\n" + kernel("a[0] = 1")},
    )
    yield Case(
        "program: a line of 100 MB",
        RUN_K,
        {PROGRAM, FAILED},
        before=lambda folder: (folder / "k.k").write_bytes(
            kernel("a[0] = 1").encode() + b"    a[0] = " + b"1 + " * 25_000_000
        ),
    )
    yield Case(
        "program: a comment of 100 MB",
        RUN_K,
        {DONE, FAILED},
        before=lambda folder: (folder / "k.k").write_bytes(
            b"#" * 100_000_000 + b"\n" + kernel("a[0] = 1").encode()
        ),
    )
    strange = 'a"b\\c\n%s.k'
    yield Case(
        "program works: a file with a strange name",
        ["run", strange, "--device", "cpu", "--grid", "1x1", "a=zeros(4)", "--save", "a=out.npy"],
        DONE,
        files={strange: kernel("a[0] = 1")},
        wrote=[1],
    )
