"""Random schedules (docs/schedules.md) of a random kernel: what was chosen for it with other numbers, lines
left out, and lines of every form put in. Many are refused; refused() says which lines, so that the rest can
be tried."""
import re

FORMS = {
    "bind lanes AXES": 3, "block SIZES": 3, "jam AXIS N vector": 4, "jam AXIS N": 4, "jam AXIS N apart N": 3,
    "jam AXIS N apart N vector": 2, "tiles inside": 2, "stage ARRAY at LOOP shared N": 4, "rows ARRAY at LOOP": 2, "rows ARRAY at LOOP lanes N": 4,
    "registers ARRAY at LOOP": 2, "persist AXIS work N": 2, "team lanes": 5, "team warps N": 5, "exchange AXES": 1,
    "team warps N blocks N": 3, "team warps N lanes N": 3,
    "divide block AXIS N": 3,
    "merge blocks AXIS N": 2, "trips LOOP": 1, "pad ARRAY N": 2, "spread blocks": 2, "ring LOOP": 3, "ragged LOOP": 2,
    "transpose ARRAY": 3, "team block N": 4, "jam rows AXIS N": 3, "jam loop LOOP N": 2, "carry ARRAY at LOOP": 2,
    "unroll LOOP N": 3, "unroll LOOP N vector": 2, "mask LOOP N": 2, "tally ARRAY at LOOP": 2,
    "vectorise LOOP N unroll N": 2, "pragma unroll LOOP N": 1, "privatise ARRAY block": 2,
    "privatise ARRAY worker": 1, "loops AXES tile SIZES": 1,
}
REFUSED = re.compile(r"<schedule>:(\d+):\d+: error: (?:this cannot be|there is nothing|there (?:is|are) \d"
                     r"|the kernel has no|this is of)")


def filled(form, random, loops, arrays):
    def word(match):
        name = match[0]
        if name == "LOOP":
            return random.choice(loops)
        if name == "ARRAY":
            return random.choice(arrays)
        if name == "AXIS":
            return random.choice("xxyyz")
        if name == "AXES":
            return " ".join(random.sample("xyz", random.choice((1, 2, 2, 3))))
        if name == "SIZES":
            return "x".join(str(random.choice((1, 2, 4, 5, 8, 16, 32))) for _ in range(random.choice((1, 2, 2, 3))))
        return str(random.choice((1, 2, 2, 3, 4, 4, 5, 7, 8, 16)))
    return re.sub(r"\b(LOOP|ARRAY|AXIS|AXES|SIZES|N)\b", word, form)


def renumbered(line, random):
    """A directive with some of its numbers changed."""
    def other(match):
        return str(max(1, random.choice((int(match[0]) * 2, int(match[0]) // 2, int(match[0]) + 1, int(match[0])))))
    return re.sub(r"(?<![\w.])\d+|(?<=\dx)\d+", other, line)


def other(kernel, chosen, random):
    """A schedule for the kernel of that text, for which passes chose `chosen`."""
    loops = sorted(set(re.findall(r"for (\w+) in", kernel)) | {"while"})
    arrays = sorted(set(re.findall(r"\b(\w+)\[", kernel))) or ["a"]
    lines = [renumbered(line, random) for line in chosen.splitlines() if random.random() < 0.85]
    forms = random.choices(list(FORMS), list(FORMS.values()), k=random.randrange(2, 9))
    lines += [filled(form, random, loops, arrays) for form in forms]
    return "\n".join(lines)


def refused(message):
    """The numbers of the lines that were not legal; None if it was something else that went wrong."""
    numbers = {int(number) for number in REFUSED.findall(message)}
    return numbers if numbers and message.count("<schedule>:") == len(REFUSED.findall(message)) else None
