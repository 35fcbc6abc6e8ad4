"""Random kernels that claim slots: threads add a number to the count of their key and store where what they found says,
what does not depend on who came first. Conditions around, keys that are computed, wrap or come from a table, slots that
are taken already."""
from nest import Nest, module, relaunched


class Claims(Nest):
    def body(self):
        n, keys = self.pick(1, 33, 1000, 5000, 20000), self.pick(1, 3, 16, 100, 255)
        kind = self.pick("int32", "int32", "int64", "uint32", "uint64")
        amount = self.pick(1, 1, 1, 2, 7)
        key = self.give("key", f"randint({self.pick(0, 0, -keys)}, {keys}, {n}, seed={self.pick(*range(99))}, dtype={self.pick('int32', 'int64', 'int16')})")
        x = self.give("x", f"randint(0, 50, {n}, seed={self.pick(*range(99))}, dtype=int32)")
        filled = self.give("filled", f"full({keys}, {self.pick(0, 0, amount, 5 * amount)}, dtype={kind})", True)
        slots = n + 6
        hit = self.give("hit", f"zeros(({keys}, {slots}), dtype=int32)" if keys * slots < 3000000 else f"zeros(({keys}, 1), dtype=int32)", True)
        width = slots if keys * slots < 3000000 else 1
        own = self.give("own", f"zeros({n}, dtype=int32)", True)
        self.blockshape = (self.pick(32, 64, 100, 256, 7),)
        self.grid = [max(1, -(-n // self.blockshape[0]) + self.pick(0, 0, 1, -1))]
        self.put(f"i = {self.pick('cuda.grid(1)', 'cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x')}")
        if self.chance(0.5):
            self.put(f"if i < {n if self.chance(0.5) else key + '.size'}:")
            self.depth = 1
        else:
            self.put(f"if i >= {x}.shape[0]:")
            self.put("    return")
        k = self.pick(f"{key}[i]", f"{key}[i]", f"{key}[{n - 1} - i]", f"{key}[{x}[i] % {n}]", f"i % {keys}")
        self.put(f"k = {k}")
        asks = self.chance(0.5)
        if asks:
            self.put(f"if {self.pick(f'{x}[i] > 20', 'k >= 0', f'{x}[i] % 3 != 1 and k != 2', 'i % 2 == 0')}:")
            self.depth += 1
        self.put(f"at = cuda.atomic.add({filled}, k, {amount})")
        self.put(f"slot = at // {amount}")
        if self.chance(0.4):
            self.put(f"{own}[i] = {x}[i] + k")
        self.put(f"if slot < {width}:")
        self.put(f"    {hit}[k, slot] = {self.pick('1', f'(k + {keys}) % {keys} + 3', 'slot')}")
        if asks:
            self.depth -= 1
            if self.chance(0.6):
                self.put("else:")
                self.put(f"    {own}[i] = {self.pick('-1', f'{x}[i]', 'k')}")
        if self.chance(0.3):
            self.put(f"{own}[i] += 2")


@relaunched
def program(seed, options="", without=()):
    g = Claims(seed, without)
    g.body()
    return module(g, options, [])
