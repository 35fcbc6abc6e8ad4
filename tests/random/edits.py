"""Random edits of a program's text: what a slip of the hand, or of the mind, would do to it.

    text = damaged(random.Random(seed), text)
"""
import re

TOKEN = re.compile(r"\n[ \t]*|[ \t]+|#.*|\"\"\"(?:.|\n)*?\"\"\"|\"[^\"\n]*\"|'[^'\n]*'|\w+(?:\.\d+)?|"
                   r"\*\*=?|//=?|<<=?|>>=?|:=|[-+*/%&|^<>=!@]=|\.\.\.|.")
TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
         "bfloat16", "float32", "float64", "complex64", "complex128"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "@", "<", "<=", "==",
             "!=", ">", "in", "not in", "is", "is not", "and", "or"]
NUMBERS = ["0", "1", "-1", "2", "3", "7", "32", "33", "255", "2147483648", "9223372036854775807",
           "18446744073709551615", "0.5", "-0.0", "1e300", "1e400", "2j", "True", "None", "()",
           "(1, 2)", "(1, 2.5, 3)", '"x"', "...", "[1, 2]", "math.nan", "math.inf", "slice(1)"]
WORDS = ["len", "range", "zip", "enumerate", "min", "max", "abs", "sum", "tuple", "isinstance", "type",
         "print", "round", "divmod", "int", "float", "complex", "slice", "iter", "lambda: 0",
         "lambda v: v", "cuda", "math", "np", "cuda.grid", "cuda.syncthreads", "cuda.shared.array",
         "cuda.local.array", "cuda.atomic.add", "cuda.threadIdx", "literal_unroll", "operator.add",
         "np.sum", "np.add", "np.maximum", "np.ndindex", "np.ndenumerate", "cmath.sqrt", "math.modf",
         "np.finfo(float32)", "shape", "dtype", "real", "T", "flat", "size", "reshape", "_"]
LINES = ["return", "return 1", "break", "continue", "pass", "cuda.syncthreads()", "assert False",
         "raise ValueError(1)", "x = 1", "for _ in range(3):", "while True:", "if cuda.grid(1):",
         "else:", "def inner(a, b=1):", "match 3:", "case _:", "del x", "global x", "with x:", "try:",
         "import math", "yield 1", "a, b = b, a", "*a, b = 1, 2, 3", "x: int32 = 3.5", "(y := 4)"]


def is_name(token):
    return re.fullmatch(r"[A-Za-z_]\w*", token) is not None


def spots(tokens, wanted):
    return [i for i, token in enumerate(tokens) if wanted(token)]


def is_solid(token):
    return token.strip() != ""


class Damage:
    """One edit is a method; it changes the list of tokens in place."""

    def __init__(self, chance, tokens):
        self.chance, self.tokens = chance, tokens

    def any(self, wanted=is_solid):
        return self.chance.choice(spots(self.tokens, wanted) or [0])

    def lose(self):
        del self.tokens[self.any()]

    def repeat(self):
        at = self.any()
        self.tokens.insert(at, self.tokens[at])

    def exchange(self):
        a, b = self.any(), self.any()
        self.tokens[a], self.tokens[b] = self.tokens[b], self.tokens[a]

    def rename(self):
        self.tokens[self.any(is_name)] = self.tokens[self.any(is_name)]

    def misremember(self):
        self.tokens[self.any(is_name)] = self.chance.choice(WORDS + TYPES)

    def retype(self):
        self.tokens[self.any(lambda token: token in TYPES)] = self.chance.choice(TYPES)

    def renumber(self):
        self.tokens[self.any(lambda token: token[0].isdigit())] = self.chance.choice(NUMBERS)

    def put_number(self):
        self.tokens[self.any(is_name)] = self.chance.choice(NUMBERS)

    def reoperate(self):
        at = self.any(lambda token: token in OPERATORS)
        self.tokens[at] = f" {self.chance.choice(OPERATORS)} "

    def misspell(self):
        at = self.any()
        token = self.tokens[at]
        cut = self.chance.randrange(len(token))
        self.tokens[at] = token[:cut] + self.chance.choice("aZ_0.9(),:[]{}'\"\\@ \t\x00é") + token[cut + 1:]

    # ---- groups and lines ------------------------------------------------------------------

    def group(self):
        """Where a bracket opens and where it closes."""
        start = self.any(lambda token: token in "([{")
        depth = 0
        for at in range(start, len(self.tokens)):
            depth += (self.tokens[at] in "([{") - (self.tokens[at] in ")]}")
            if depth == 0:
                return start, at + 1
        return start, start + 1

    def regroup(self):
        a, b = self.group()
        c, d = self.group()
        self.tokens[a:b] = self.tokens[c:d]

    def lines(self):
        return "".join(self.tokens).split("\n")

    def relay(self, lines):
        self.tokens[:] = TOKEN.findall("\n".join(lines))

    def line_of(self, lines):
        return self.chance.choice(spots(lines, is_solid) or [0])

    def lose_line(self):
        lines = self.lines()
        del lines[self.line_of(lines)]
        self.relay(lines)

    def repeat_line(self):
        lines = self.lines()
        lines.insert(self.line_of(lines), lines[self.line_of(lines)])
        self.relay(lines)

    def exchange_lines(self):
        lines = self.lines()
        a, b = self.line_of(lines), self.line_of(lines)
        lines[a], lines[b] = lines[b], lines[a]
        self.relay(lines)

    def indent_line(self):
        lines = self.lines()
        at = self.line_of(lines)
        lines[at] = lines[at].removeprefix("    ") if self.chance.random() < 0.5 else "    " + lines[at]
        self.relay(lines)

    def put_line(self):
        lines = self.lines()
        at = self.line_of(lines)
        margin = lines[at][:len(lines[at]) - len(lines[at].lstrip())]
        lines.insert(at, margin + self.chance.choice(LINES))
        self.relay(lines)


RARE = [Damage.lose, Damage.repeat, Damage.exchange, Damage.misspell, Damage.indent_line]
EDITS = [Damage.rename, Damage.misremember, Damage.retype, Damage.renumber, Damage.put_number,
         Damage.reoperate, Damage.regroup, Damage.lose_line, Damage.repeat_line,
         Damage.exchange_lines, Damage.put_line]


def damaged(chance, text):
    """The text after one to four edits, mostly below its @example."""
    kept = text.index("def ", text.index("@example(")) if chance.random() < 0.9 else 0
    damage = Damage(chance, TOKEN.findall(text[kept:]))
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        if len(damage.tokens) > 1:
            chance.choice(RARE if chance.random() < 0.15 else EDITS)(damage)
    return text[:kept] + "".join(damage.tokens)
