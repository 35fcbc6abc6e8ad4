"""What every generator of kernels draws its luck with."""
import random

import arith
from values import DTYPES


class Draw:
    def __init__(self, seed, without=()):
        self.without = without
        self.random = random.Random(seed)
        self.debug = False
        self.functions = []          # what functions.call() may call
        self.variables = {}          # name: kind
        self.loops = []              # around the present statement: do all threads turn together?
        self.count = 0
        self.in_kernel = False       # whether the kernel's arrays are in scope
        self.expressions = list(arith.EXPRESSIONS)

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *things):
        return self.random.choice(things)

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def number(self, depth):
        """An Expr of any of DTYPES or bool."""
        if depth <= 0 or self.chance(0.15):
            return arith.literal(self) if self.chance(0.2) else arith.leaf(self, self.pick(*DTYPES))
        for _ in range(4):
            made = self.random.choice(self.expressions)(self, depth - 1)
            if made:
                return made
        return arith.leaf(self, self.pick(*DTYPES))


class Program:
    def __init__(self, text, outputs):
        self.text, self.outputs = text, outputs
        self.others = []             # programs of the same kernel, launched otherwise
