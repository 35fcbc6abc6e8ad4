"""Random kernels of integers beside each other in loops: quotients and rests of sums and products, by scalars of all
widths and signs, by products of them, by what a loop counts, shifts, casts that cut, comparisons at the ends of types.

What indices, bounds of loops and divisors are made of does not wrap; all else may."""
from draw import Draw
from nest import module, relaunched

BITS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}


def ends(kind):
    bits = BITS[kind]
    return (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if kind[0] == "i" else (0, 2 ** bits - 1)


class Wholes(Draw):
    def __init__(self, seed, without):
        super().__init__(seed, without)
        self.params, self.lines, self.depth = [], [], 1
        self.ints = []            # texts: kind, low, high
        self.unsigned = self.chance(0.2)
        self.kind = self.pick("uint64", "uint32", "uint8") if self.unsigned else self.pick("int32", "int64", "int64", "int8", "int16")
        self.names = {}

    def put(self, line):
        self.lines.append("    " * self.depth + line)

    def number(self, kind):
        low, high = ends(kind)
        n = self.pick(0, 1, 2, 3, 5, 7, 8, 10, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 1000, 1024, 32767, 32768, 65535, 65536, 2 ** 20, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 62, 2 ** 63 - 1,
                      high, high - 1, low, low + 1)
        if self.chance(0.35):
            n = -n
        return n if low <= n <= high else self.random.randrange(low, high + 1) if self.chance(0.5) else self.random.randrange(max(low, -9), min(high, 9) + 1)

    def scalar(self, kind, n):
        name = self.fresh("n")
        value = f"{kind}({n})" if n > -2 ** 63 else "int64(-0x7fffffffffffffff - 1)"
        self.params.append((name, value, False))
        return name

    def leaf(self):
        roll = self.random.random()
        if roll < 0.5 and self.names:
            return self.pick(*self.names)
        if roll < 0.8:
            return f"x[{self.pick(*self.places)}]"
        kind = self.kind if self.unsigned else self.pick("int32", "int64", "int8", "int16", "int32")
        return self.scalar(kind, self.number(kind))

    def divisor(self, depth):
        kind = self.kind if self.unsigned else self.pick("int32", "int64", "int64", "int16")
        roll = self.random.random()
        if roll < 0.3:
            n = self.pick(1, 2, 3, 4, 5, 7, 8, 10, 16, 24, 100, 255, 256, 1000, 4096, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32)
            n = n if n <= ends(kind)[1] else 7
            return self.cast(str(n)) if self.unsigned else self.pick(str(n), str(n), f"(-{n})")
        if roll < 0.65:
            n = self.number(kind) or 3
            return self.scalar(kind, n)
        if roll < 0.8:                                   # a product that does not wrap
            a, b = self.pick(1, 2, 3, 5, 7, 8, 16, 64, 100, 1000), self.pick(1, 2, 3, 4, 16, 33, 100, 127)
            if not self.unsigned and self.chance(0.3):
                a, b = self.pick((-a, b), (a, -b), (-a, -b))
            kind = self.kind if self.unsigned and self.kind != "uint8" else "uint64" if self.unsigned else self.pick("int32", "int64")
            return f"({self.scalar(kind, a)} * {self.scalar(kind, b) if self.chance(0.7) else self.cast(str(b))})"
        v = self.value(depth - 1)
        if self.unsigned:
            return self.pick(f"({v} | {self.cast('1')})", f"max({self.cast('1')}, {v})")
        return self.pick(f"({v} | 1)", f"max(1, {v})", f"min(-1, {v})", f"(abs({self.pick('i', 'k' if 'k' in self.names else 'i')}) + 1)")

    def cast(self, text):
        return f"{self.kind if self.kind != 'uint8' else 'uint64'}({text})" if self.unsigned else text

    def value(self, depth):
        if depth <= 0:
            return self.leaf()
        a = self.value(depth - 1)
        roll = self.random.random()
        if roll < 0.36:
            d = self.divisor(depth)
            return self.pick(f"({a} // {d})", f"({a} % {d})", f"({a} // {d})", f"({a} % {d})", f"({a} // {d} * {d})", f"({a} - {a} // {d} * {d})", f"({a} // {d} % {self.divisor(0)})", f"({a} % {d} // {self.divisor(0)})")
        b = self.value(depth - 1 if self.chance(0.5) else 0)
        if roll < 0.7:
            return self.pick(f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} * {self.cast(str(self.pick(2, 3, 4, 7, 8, 16, 100)))})", f"({a} + {self.cast(str(self.pick(1, 2, 31, 128)))})", f"({a} - {self.cast(str(self.pick(1, 2, 31)))})")
        if roll < 0.8:
            s = self.cast(str(self.pick(1, 2, 3, 4, 8, 31, 32, 63)))
            return self.pick(f"({a} >> {s})", f"({a} << {s})", f"({a} & {self.cast(str(self.pick(1, 3, 7, 15, 255, 65535, 6)))})", f"({a} | {b})", f"({a} ^ {b})", f"(~{a})")
        if roll < 0.9:
            return self.pick(f"min({a}, {b})", f"max({a}, {b})", f"({a} if {self.truth(0)} else {b})", *([] if self.unsigned else [f"abs({a})", f"(-{a})"]))
        if self.unsigned:
            return f"{self.pick('uint8', 'uint16', 'uint32', 'uint64')}({a})"
        return self.pick(f"int8({a})", f"int16({a})", f"int32({a})", f"int32({a})", f"int64(uint32({a}))", f"int64(uint8({a}))", f"int64(uint64({a}) // uint64({self.pick(3, 7, 10, 16)}))", f"int64(uint32({a}) % uint32({self.pick(3, 7, 10, 16)}))")

    def truth(self, depth=1):
        return f"{self.value(depth)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.value(depth) if self.chance(0.6) else self.leaf()}"

    def statements(self, depth):
        for _ in range(self.random.randrange(1, 4)):
            roll = self.random.random()
            if roll < 0.35:
                name = self.fresh("v")
                self.put(f"{name} = {self.value(2)}")
                self.names[name] = 1
            elif roll < 0.7:
                self.put(f"s {self.pick('+=', '+=', '^=', '-=')} {self.value(2)}")
            elif roll < 0.85:
                kept = dict(self.names)
                self.put(f"if {self.truth()}:")
                self.depth += 1
                self.put(f"s {self.pick('+=', '^=')} {self.value(2)}")
                self.depth -= 1
                self.names = kept
            elif depth < 2:
                self.loop(depth)

    def loop(self, depth):
        v = "kmq"[depth] if depth < 3 else self.fresh("k")
        if v in self.names:
            return
        n = self.pick(1, 2, 3, 7, 16, 33)
        size = self.scalar(self.pick("int32", "int64"), n) if self.chance(0.5) else str(n)
        low = self.pick(-3, -1, -17)
        text = self.pick(f"range({size})", f"range({size})", f"range({low}, {size})", f"range({size}, {low}, -1)", f"range({low}, {size}, 2)", f"range({size} - 1, -1, -1)", f"range(i, i + {size})", f"range(i - 5, i + 1, {self.pick(1, 3)})",
                         f"range(0, {size} * 3, {self.scalar('int64', 3)})")
        kept = dict(self.names)
        self.put(f"for {v} in {text}:")
        self.depth += 1
        self.names[v] = 1
        if self.unsigned:
            u = self.fresh("u")
            self.put(f"{u} = {self.cast(v)}")
            del self.names[v]
            self.names[u] = 1
        self.statements(depth + 1)
        self.put(f"s {self.pick('+=', '+=', '^=')} {self.value(2)}")
        self.depth -= 1
        self.names = kept


@relaunched
def program(seed, options="", without=()):
    g = Wholes(seed, without)
    n = g.pick(1, 31, 64, 100, 257)
    kind = g.kind
    values = [g.number(kind) for _ in range(24)]
    values = [v for v in values if v > -2 ** 63] or [1]
    g.params.append(("x", f"array({values}, dtype={kind})", False))
    out = g.pick("int64", "int64", "int32", "uint8", "uint64") if not g.unsigned else g.pick("uint64", "uint64", "uint32")
    g.params.append(("out", f"zeros({n}, dtype={out})", True))
    g.places = [f"i % {len(values)}", f"(i * 7 + 3) % {len(values)}", str(g.random.randrange(len(values)))]
    g.put("i = cuda.grid(1)")
    g.put(f"if i < {g.pick('out.size', g.scalar('int64', n), g.scalar('int32', n))}:")
    g.depth += 1
    if g.unsigned:
        g.put(f"u = {g.cast('i')}")
        g.names["u"] = 1
        g.put(f"s = {g.cast('0')}")
    else:
        g.names["i"] = 1
        g.put("s = int64(0)")
    g.statements(0)
    g.loop(0)
    g.put("out[i] = s")
    g.grid, g.blockshape, g.defs = [-(-n // 32)], [32], []
    return module(g, options)
