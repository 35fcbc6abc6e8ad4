"""Lanes of a warp that go different ways and meet those of their own mask there.

A warp is parted into those whose bit a number has and the others; each part has as many operations
as it likes, also in loops and functions, and in the end all meet again. Whom a lane asks is of its part.
"""
from arith import of_kind

FULL = 0xffffffff
KINDS = ("int8", "uint8", "int16", "uint16", "int32", "int64", "uint32", "uint64", "float16", "float32",
         "float64")
PARTS = (0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555, 0x000000ff, 0x00000001, 0x7fffffff,
         0x80000001, 0x0000000f)


def lanes_of(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


def part(g, within=FULL):
    """A mask with some of these lanes, not all of them."""
    while True:
        mask = within & (g.pick(*PARTS) if g.chance(0.7) else g.random.getrandbits(32))
        if g.chance(0.5):
            mask = within & ~mask
        if mask not in (0, within):
            return mask


def is_in(g, mask):
    """A condition that the lanes of the mask alone meet."""
    if mask & mask + 1 == 0 and g.chance(0.6):
        return f"turn_lane < {mask.bit_length()}"
    if mask == FULL & ~0xffff and g.chance(0.6):
        return "turn_lane >= 16"
    if mask == 0x55555555 and g.chance(0.6):
        return "turn_lane % 2 == 0"
    return f"{hex(mask)} >> turn_lane & 1" + g.pick("", " == 1", " != 0")


def shuffled(g, masks, name, value):
    """A shuffle in which no lane of any of these masks asks beyond its mask; `name` is the mask's."""
    def fits(source):
        return all(not 0 <= source(lane) < 32 or mask >> source(lane) & 1
                   for mask in masks for lane in lanes_of(mask))
    forms = [f"shfl_xor_sync({name}, {value}, {by})" for by in range(32) if fits(lambda lane: lane ^ by)]
    forms += [f"shfl_up_sync({name}, {value}, {by})" for by in range(32) if fits(lambda lane: lane - by)]
    forms += [f"shfl_down_sync({name}, {value}, {by})" for by in range(32) if fits(lambda lane: lane + by)]
    if len(masks) == 1:
        forms += [f"shfl_sync({name}, {value}, {lane})" for lane in lanes_of(masks[0])]
    else:
        forms += [f"shfl_sync({name}, {value}, cuda.ffs({name}) - 1)"] * 8
    return "cuda." + g.pick(*forms)


def operation(g, masks, name, holds, kind):
    """Lines: lanes tell one another of `holds`, a variable of that kind, or of int32 `votes`."""
    votes = f"votes_{holds}"
    asked = f"{holds} > {kind}(1)"
    form = g.random.randrange(9)
    if form < 4:
        return [f"{holds} = {kind}({shuffled(g, masks, name, holds)})"]
    if form == 4:
        return [f"cuda.syncwarp({name})"]
    told = g.pick(f"cuda.ballot_sync({name}, {asked})", f"int32(cuda.any_sync({name}, {asked}))",
                  f"int32(cuda.all_sync({name}, {asked}))", f"int32(cuda.eq_sync({name}, {asked}))",
                  f"cuda.match_any_sync({name}, {holds})", f"cuda.match_all_sync({name}, {holds})[0]",
                  shuffled(g, masks, name, votes))
    return [f"{votes} = int32({votes} * 5 + {told})"]


def indented(lines):
    return ["    " + line for line in lines]


def few(g, masks, name, holds, kind, depth):
    """Lines of an operation or several, in loops and functions too."""
    lines = []
    for _ in range(g.random.randrange(1, 4)):
        form = g.random.randrange(7)
        if form == 0 and depth > 0:
            count = g.random.randrange(0, 4)
            lines += [f"for {g.fresh('turn')} in range({count}):"]
            lines += indented(few(g, masks, name, holds, kind, depth - 1))
        elif form == 1 and depth > 0 and len(masks) == 1:
            inner = part(g, masks[0]) if masks[0] & masks[0] - 1 else masks[0]
            lines += parted(g, masks[0], inner, holds, kind, depth - 1)
        elif form == 2 and kind != "float16":
            lines += [f"{holds} = {kind}(told_lanes({name}, {holds}, {g.random.randrange(4)}))"]
        elif form == 3 and depth > 0:
            before, loops = dict(g.variables), g.loops
            g.loops = []             # which it may leave: not these here
            lines += g.statement(1, False)
            g.variables, g.loops = before, loops
        else:
            lines += operation(g, masks, name, holds, kind)
    return lines


def parted(g, within, mask, holds, kind, depth):
    """The lanes of the mask go one way, those beside it, if there are, another or none."""
    lines = [f"if {is_in(g, mask)}:", *indented(few(g, [mask], hex(mask), holds, kind, depth))]
    other = within & ~mask
    if other and g.chance(0.7):
        lines += ["else:", *indented(few(g, [other], hex(other), holds, kind, depth))]
    return lines


def begun(g):
    """Lines that begin: the name of what the lanes hold, its kind."""
    kind, name = g.pick(*KINDS), g.fresh("lanes")
    value = of_kind(g, kind, 2)
    return [f"{name} = {kind}({value})", f"votes_{name} = int32(turn_lane)"], name, kind


def ended(g, name, kind):
    """Lines: all meet, and what they hold is there for what follows."""
    lines = [f"{name} = {kind}({shuffled(g, [FULL], hex(FULL), name)})",
             f"votes_{name} = cuda.shfl_sync({hex(FULL)}, votes_{name}, 31 - turn_lane)"]
    g.variables[name] = kind
    g.variables[f"votes_{name}"] = "int32"
    return lines if g.chance(0.8) else []


def branches(g, depth, together):
    """Two parts with operations of their own, as many as they like."""
    lines, name, kind = begun(g)
    lines += parted(g, FULL, part(g), name, kind, 2)
    return lines + ended(g, name, kind)


def one_way(g, depth, together):
    """A mask that is a variable, each part's own; in a loop that the parts turn in unlike."""
    lines, name, kind = begun(g)
    mask = part(g)
    masks, own = [mask, FULL & ~mask], g.fresh("mask")
    lines += [f"{own} = {hex(mask)} if {is_in(g, mask)} else {hex(masks[1])}"] if g.chance(0.7) else \
             [f"{own} = cuda.match_any_sync({hex(FULL)}, {hex(mask)} >> turn_lane & 1)"]
    form = g.random.randrange(4)
    turns = g.pick(1, 2, 3, 5)
    if form == 0:
        return lines + few(g, masks, own, name, kind, 1) + ended(g, name, kind)
    if form == 1:
        lines += [f"for {g.fresh('turn')} in range({turns} if {is_in(g, mask)} else {g.random.randrange(5)}):"]
    elif form == 2:
        left = g.fresh("left")
        lines += [f"{left} = {turns} if {is_in(g, mask)} else {g.random.randrange(1, 5)}", f"while {left} > 0:",
                  f"    {left} -= 1"]
    else:
        lines += [f"for {g.fresh('turn')} in range({turns}):"]
    return lines + indented(few(g, masks, own, name, kind, 1)) + ended(g, name, kind)


def by_turns(g, depth, together):
    """In each turn the warp is parted anew."""
    lines, name, kind = begun(g)
    turn, own = g.fresh("turn"), g.fresh("mask")
    lines += [f"for {turn} in range({g.random.randrange(1, 5)}):",
              f"    {own} = cuda.match_any_sync({hex(FULL)}, turn_lane >> {turn} & 1)"]
    ask = f"{name} = {kind}(cuda.shfl_sync({own}, {name}, cuda.ffs({own}) - 1))"
    count = f"votes_{name} = int32(votes_{name} * 3 + cuda.ballot_sync({own}, {name} > {kind}(2)))"
    if g.chance(0.5):
        lines += [f"    if turn_lane >> {turn} & 1:", *indented(indented(g.pick([ask], [count], [ask, count])))]
        if g.chance(0.6):
            lines += ["    else:", *indented(indented(g.pick([ask], [count, count], [count, ask])))]
    else:
        lines += indented([ask, count])
    return lines + ended(g, name, kind)


def in_another_turn(g, depth, together):
    """All lanes meet once, some of them in one turn of a loop and the others in another."""
    lines, name, kind = begun(g)
    mask, turn = part(g), g.fresh("turn")
    early = g.random.randrange(2)
    lines += [f"for {turn} in range(2):", f"    if ({is_in(g, mask)}) == ({turn} == {early}):",
              f"        {name} = {kind}({shuffled(g, [FULL], hex(FULL), name)})"]
    return lines + ended(g, name, kind)


def begin(g):
    g.start += ["turn_lane = cuda.laneid"]
    g.definitions += [
        "def told_lanes(mask, value, turns):",
        "    for turn in range(turns):",
        "        value = cuda.shfl_sync(mask, value, cuda.ffs(mask) - 1)",
        "    cuda.syncwarp(mask)",
        "    return value",
        "", ""]


EXPRESSIONS = []
STATEMENTS = []
NESTING = []
TOGETHER = [branches, branches, one_way, one_way, by_turns, in_another_turn]
