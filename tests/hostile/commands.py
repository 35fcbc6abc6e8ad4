"""Command lines that ask for what is not there, not possible or not a command."""

from case import COMMAND, COPY, DEFECT, DONE, FAILED, PROGRAM, RUN_COPY, Case


def command_cases():
    files = {
        "copy.k": COPY,
        "two.k": COPY + "\n\n" + COPY.replace("copy", "again"),
        "hidden.k": COPY + "\n\ndef copy(a):\n    return a\n",
        "n.k": "N = 4\n\n\n" + COPY,
    }
    good = ["a=ones(4)"]
    both = [*good, "b=zeros(4)"]
    grid = ["--grid", "1x32"]
    run = ["run", "copy.k", "--device", "cpu"]

    def case(name, arguments, status, says="", **more):
        return Case(f"command: {name}", arguments, status, says, files, **more)

    yield case(
        "the same with nothing wrong",
        [*RUN_COPY, *good, "--save", "b=out.npy"],
        DONE,
        wrote=[1, 1, 1, 1],
    )
    yield case("nothing", [], COMMAND)
    yield case("an unknown command", ["ruin", "copy.k"], COMMAND, "ruin")
    yield case("run what?", ["run"], COMMAND)
    yield case("an unknown option", [*run, "--gird", "1x32", *both], COMMAND, "gird")
    yield case("an option without its value", [*run, *both, "--grid"], COMMAND, "grid")
    yield case("a missing file", ["run", "nowhere.k"], FAILED, r"nowhere\.k")
    yield case("a folder", ["run", "."], FAILED)
    yield case("an empty name", ["run", ""], {COMMAND, FAILED})
    yield case("a name of 100,000 bytes", ["run", "x" * 100_000], FAILED)
    yield case("an unknown kernel", ["run", "copy.k:cpoy", *grid, *both], COMMAND, "cpoy")
    yield case("a name bound again", ["run", "hidden.k", *both], PROGRAM, "has no kernel")
    yield case("two kernels, none named", ["run", "two.k", *grid, *both], COMMAND, "again")
    yield case("a missing argument", [*run, *grid, *good], COMMAND, r"\bb\b")
    yield case("no arguments at all", [*run, *grid], COMMAND)
    yield case("an argument too many", [*run, *grid, *both, "c=4"], COMMAND, r"\bc\b")
    yield case("an argument without a value", [*run, *grid, "a=", "b=zeros(4)"], COMMAND)
    yield case("a value without a name", [*run, *grid, "=4", *both], COMMAND)
    for bad in (
        "0x32",
        "32x0",
        "x",
        "32",
        "-1x32",
        "1x-32",
        "1,2,3,4x1",
        "1x1,1,1,1",
        "1e3x2",
        "99999999999x1",
        "1x99999999999999999999999",
        "[4, 4",
        "((((4",
        "1x32x4",
        "\u0664x32",
    ):
        yield case(f"grid {bad}", [*run, "--grid", bad, *both], COMMAND, "grid")
    for bad in ("1x2000", "1x1024,2", "1x1,1,65", "1,70000x32", "1,1,70000x32"):
        yield case(f"grid {bad}", [*run, "--grid", bad, *both], {COMMAND, FAILED})
    for bad in ("-5", "many", "1e3", "99999999999999999999", "1000000000000"):
        yield case(f"shared {bad}", [*run, *grid, *both, "--shared", bad], {COMMAND, FAILED})
    for bad in ("0", "-1", "often", "9" * 30):
        yield case(f"time {bad}", [*run, *grid, *both, "--time", bad], COMMAND)
    for bad in ("tpu", "", "cpu:x", "cuda:", "cuda:-1", "cuda:x", "cuda:4294967296"):
        yield case(
            f"device '{bad}'", ["run", "copy.k", *grid, *both, "--device", bad], {COMMAND, FAILED}
        )
    for bad in (
        "zeros(",
        "zeros)",
        "zeroes(4)",
        "zeros(-1)",
        "zeros(4, dtype=float33)",
        "zeros('4')",
        "zeros()",
        "zeros(4, 4, 4, 4)",
        "zeros(1.5)",
        "1 +",
        "1 // 0",
        "full(4)",
        "arange(0, 4, 0)",
        "linspace(0, 1, -1)",
        "normal(4, sede=1)",
        "randint(4, 4, 4)",
        "randint(5, 4, 4)",
        "zeros((4,) * 9)",
        "x",
        "a",
        "__import__('os')",
        "lambda: 4",
        "\xff",
        "(((((" * 5000,
        "-" * 20000 + "1",
        "[" * 20000,
        "zeros(4)[",
        "zeros(4)[9]",
        "zeros(4).x",
        "load()",
        "load(4)",
    ):
        yield case(f"value {bad[:30]}", [*run, *grid, f"a={bad}", "b=zeros(4)"], COMMAND)
    for big in (
        "zeros(10 ** 18)",
        "zeros((1000000000, 1000000000))",
        "zeros(9223372036854775807)",
        "arange(10 ** 17)",
        "zeros(2 ** 61)",
        "normal(10 ** 16)",
    ):
        yield case(f"value {big}", [*run, *grid, f"a={big}", "b=zeros(4)"], {COMMAND, FAILED})
    yield case("a scalar for an array", [*run, *grid, "a=4", "b=zeros(4)"], PROGRAM, r"copy\.k:4")
    yield case(
        "too few dimensions",
        [
            "run",
            "copy.k",
            "--device",
            "cpu",
            "--grid",
            "1x1",
            "a=ones((2, 2))",
            "b=zeros((2, 2), dtype=int32)[0]",
        ],
        PROGRAM,
    )
    yield case("-D without a value", ["run", "n.k", *grid, *both, "-D", "N"], COMMAND)
    yield case(
        "-D of nothing there", ["run", "n.k", *grid, *both, "-D", "M=4"], {PROGRAM, COMMAND}, "M"
    )
    yield case("-D with nonsense", ["run", "n.k", *grid, *both, "-D", "N=(4"], {PROGRAM, COMMAND})
    yield case(
        "save of nothing there", [*run, *grid, *both, "--save", "c=out.npy"], COMMAND, r"\bc\b"
    )
    yield case(
        "save where no folder is",
        [*run, *grid, *both, "--save", "b=no/such/out.npy"],
        FAILED,
        r"out\.npy",
    )
    yield case("save of no .npy", [*run, *grid, *both, "--save", "b=."], COMMAND, r"\.npy")
    yield case(
        "plot of nothing there", [*run, *grid, *both, "--plot", "c=c.svg"], COMMAND, r"\bc\b"
    )
    yield case("plot of an unknown kind", [*run, *grid, *both, "--plot", "b=b.doc"], COMMAND)
    yield case("print of nothing there", [*run, *grid, *both, "--print", "c"], COMMAND, r"\bc\b")
    yield case("a full disk for stdout", [*run, *grid, *both], FAILED, stdout="/dev/full")
    yield case("build what stage?", ["build", "copy.k", "--emit", "soup"], COMMAND, "soup")
    for bad in (
        "copy(",
        "copy()",
        "copy(float33[:], float32[:])",
        "copy(float32[:])",
        "other(float32[:])",
        "copy(float32[:, :, ::1, ::1], int8)",
        "",
        ")",
        "copy(" + "(" * 9000,
    ):
        yield case(
            f"build for {bad[:30]}",
            ["build", "copy.k", "--emit", "ir", "--sig", bad],
            {PROGRAM, COMMAND},
        )
    yield case(
        "build for an unknown processor",
        [
            "build",
            "copy.k",
            "--emit",
            "cubin",
            "--arch",
            "sm_1",
            "--sig",
            "copy(float32[::1], float32[::1])",
        ],
        {COMMAND, FAILED},
    )
    sig = ["--sig", "copy(float32[::1], float32[::1])"]
    binary = ["build", "copy.k", *sig, "--emit", "binary", "-o", "out.kjit", "--arch"]
    for bad in ("", ",", "cpu,", "cpu:", "cpu:8086", "sm_", "sm_0", "compute_9", "x" * 5000):
        yield case(f"a binary for '{bad[:20]}'", [*binary, bad], COMMAND)
    yield case("a binary for too many", [*binary, ",".join(["cpu"] * 70)], COMMAND, "64")
    nowhere = ["no/x.h" if word == "out.kjit" else word for word in binary]
    yield case("a binary into a folder that is not there", [*nowhere, "cpu"], FAILED)
    yield case("two places for a binary", [*binary, "cpu", "-o", "no/x.h"], COMMAND, "twice")
    yield case("an edited text of no stage", ["build", "copy.k", "--c", "copy.k"], COMMAND)
    magic = b"kjit\x7fbin"
    for name, content in (
        ("nothing else", magic),
        ("a version alone", magic + b"\1\0\0\0"),
        ("zeros", magic + bytes(4096)),
        ("ones", magic + b"\xff" * 4096),
        ("a tail that points away", b"\x7fELF" + b"\xff" * 60 + b"\xff" * 8 + magic),
        ("a tail that points at itself", b"\x7fELF" + bytes(60) + b"\x40" + bytes(7) + magic),
    ):
        yield Case(
            f"command: a binary of {name}",
            ["run", "bad.kjit", "--device", "cpu"],
            FAILED,
            r"bad\.kjit",
            {"bad.kjit": content},
        )
    edited = {"copy.k": COPY, "zeros.c": bytes(100), "deep.c": "kjit_entry(" + "(" * 100_000}
    for name in ("zeros.c", "deep.c", ".", "nowhere.c"):
        yield Case(
            f"command: an edited text that is {name}",
            [*run, *grid, *both, "--c", name],
            {COMMAND, FAILED},
            files=edited,
        )
    yield case("test of nothing there", ["test", "nowhere"], FAILED, "nowhere")
    yield Case(
        "command: test of a wrong expectation",
        ["test", "copy.k"],
        DEFECT,
        files={"copy.k": COPY, "copy.tokens": "none\n"},
    )
    yield case("cache what?", ["cache", "burn"], COMMAND, "burn")
