"""The ways in which a random kernel is run, which must all leave the same bits.

Compiling is what they cost: for many kernels on the processor, "quick" and "in turn" ask least of it.
"""
import functools
import importlib
import shutil

HOT = "none,constants,inlined,returns,registers"    # which leave launches and parameters as they are


class Way:
    """A device, with what the environment says while it is opened and used; passes as
    kjit_load_options has them; words for @cuda.jit. `constants`: the text is made for this launch's
    own extents and scalars. `options` are for the device's compiler. `schedule`: "again", what is chosen, given
    back, leads to the same text; "other", by another schedule than is chosen. `ranks`: the launch is split, over
    2 to 7 ranks of the process by turns, whose memory is poisoned where they hold nothing; kernels for which
    that is refused are left out. `others`: a kernel is launched as its program's others say, too, by what was
    compiled for the launches before if that is right for them."""

    def __init__(self, device, environment=None, passes=None, decoration="", options=None, constants=False,
                 schedule=None, ranks=False, others=False):
        self.device, self.environment, self.passes = device, environment or {}, passes
        self.decoration, self.options, self.constants = decoration, options, constants
        self.schedule, self.ranks, self.others = schedule, ranks, others


WAYS = {
    "no passes": Way("cpu", passes="none"),
    "all passes": Way("cpu", passes="all"),
    "gcc": Way("cpu", {"KJIT_CC": "gcc"}),
    "clang": Way("cpu", {"KJIT_CC": "clang"}),
    "gcc AVX2": Way("cpu", {"KJIT_CC": "gcc -march=x86-64-v3"}, "all"),
    "unoptimised": Way("cpu", decoration="opt=False"),
    "constants": Way("cpu", passes=HOT, constants=True),
    "checked": Way("check", {"KJIT_REHEARSE": "never"}, options="-O0"),
    "rehearsed": Way("check", {"KJIT_REHEARSE": "always"}, options="-O0"),
    "sanitized": Way("cpu", {"KJIT_CC": "gcc -fsanitize=address"}, "all"),
    "quick": Way("cpu", passes="none", options="-O0"),
    "quick all": Way("cpu", passes="all", options="-O0"),
    "relaunched": Way("cpu", passes="all", options="-O0", others=True),
    "quick other": Way("cpu", passes="all", schedule="other", options="-O0"),
    "again": Way("cpu", passes="all", schedule="again", options="-O0"),
    "other schedule": Way("cpu", passes="all", schedule="other", options="-O1"),
    "split": Way("cpu", {"KJIT_MANY_POISON": "1"}, "none", options="-O0", ranks=True),
    "split all passes": Way("cpu", {"KJIT_MANY_POISON": "1"}, "all", options="-O1", ranks=True),
    "cuda": Way("cuda"),
    "cuda no passes": Way("cuda", passes="none"),
    "cuda all passes": Way("cuda", passes="all"),
    "cuda relaunched": Way("cuda", others=True),
    "cuda other": Way("cuda", schedule="other"),
    "cuda unoptimised": Way("cuda", decoration="opt=False"),
}
TURNS = {name: [Way("cpu", {"KJIT_CC": compiler}, passes, options=level) for passes in ("all", None)
                for level in ("-O1", "-O3", "-O2")
                for compiler in filter(shutil.which, compilers)]
         for name, compilers in (("in turn", ("gcc", "clang")), ("gcc in turn", ("gcc",)), ("clang in turn", ("clang",)))}
TURNS["in turn"] = TURNS["in turn"] or [WAYS["all passes"]]
ON_CPU = ["no passes", "all passes", "gcc", "clang", "unoptimised", "constants", "checked", "rehearsed"]
ON_CUDA = ["cuda", "cuda no passes", "cuda all passes", "cuda unoptimised"]


def way_of(name, seed):
    """All passes, or those meant for the device, "in turn": each seed by one compiler at one level; "gcc in
    turn": by that compiler."""
    return TURNS[name][seed % len(TURNS[name])] if name in TURNS else WAYS[name]


def is_known(name):
    return name in WAYS or name in TURNS


def is_at_hand(name):
    if name in TURNS:
        return bool(TURNS[name])
    compiler = WAYS[name].environment.get("KJIT_CC", "").split(" ")[0]
    return not compiler or bool(shutil.which(compiler))


def at_hand(names):
    """Those whose compiler is on this machine."""
    return [name for name in names if is_at_hand(name)]


def program_of(generator):
    """The function that makes programs: "naive", "generate", or "generate:lanes+held" for programs of these
    families alone, each of them in every program."""
    name, _, families = generator.partition(":")
    module = importlib.import_module(name)
    if not families:
        return module.program
    there = [family.__name__ for family in module.SOMETIMES]
    unknown = [family for family in families.split("+") if family not in there]
    if unknown:
        raise SystemExit(f"there is no family '{unknown[0]}', but {', '.join(there)}")
    return functools.partial(module.program, families=tuple(families.split("+")))
