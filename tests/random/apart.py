"""Random kernels of loops in loops whose threads go by their block's index and by their index in the block, along
another axis each: rows by blocks, columns by threads, or by loops of a block's threads, with a batch along another
axis or without; sizes of the grid and of blocks among the indices. Built of nests.py."""
import nests
from nest import relaunched


class Apart(nests.Nests):
    adds = False

    def place(self):
        """Which elements a thread has."""
        self.axes = self.pick(1, 1, 2)
        columns, rows, batch = self.pick(1, 7, 32, 33, 64, 100, 128, 130), self.pick(2, 17, 64, 70, 130, 200), self.pick(1, 2, 4)
        axis = self.pick(0, 0, 0, 1)
        other = 1 - axis
        letter, along = "xy"[axis], "xy"[other]
        i, j, b = self.fresh("i"), self.fresh("j"), self.fresh("b")
        self.own = [(i, rows), (j, columns)]
        block, grid = [1, 1], [1, 1]
        exact = self.chance(0.5)
        block[axis], grid[axis] = columns + self.pick(0, 0, 5), rows + (0 if exact else self.pick(0, 1, -1))
        exact = exact and block[axis] == columns
        grid[axis] = max(1, grid[axis])
        self.put(f"{i} = {self.pick('', 'int64')}(cuda.blockIdx.{letter})")
        strides = self.chance(0.4)
        if strides:
            block[axis] = self.pick(1, 16, 32, 33, 64)
        else:
            self.put(f"{j} = {self.pick('', 'int64')}(cuda.threadIdx.{letter})")
        if self.axes == 2 or axis == 1:
            self.axes = 2
            grid[other] = batch
            whole = f"cuda.blockIdx.{along} * cuda.blockDim.{along} + cuda.threadIdx.{along}"
            asked = self.pick(f"cuda.blockIdx.{along}", f"cuda.grid(2)[{other}]", whole)
            self.put(f"{b} = {asked}")
            self.own.insert(0, (b, batch))
            if asked == whole and self.chance(0.5):
                block[other] = self.pick(2, 4)
                self.put(f"if {b} >= {self.size(batch)}:")
                self.put("    return")
        self.leave = "return"
        if strides:
            if not exact or grid[axis] > rows:
                self.put(f"if {i} < {self.size(rows)}:")
                self.depth = 1
            self.put(f"for {j} in range(cuda.threadIdx.{letter}, {self.size(columns)}, cuda.blockDim.{letter}):")
            self.depth, self.leave = self.depth + 1, "continue"
        elif not exact or self.chance(0.5):
            bounds = [f"{name} < {self.pick(self.size(n), self.size(n), size)}"
                      for (name, n), size in zip(self.own[-2:], (f"min({self.size(rows)}, cuda.gridDim.{letter})",
                                                                 f"min({self.size(columns)}, cuda.blockDim.{letter})"))]
            self.put(f"if {' and '.join(bounds)}:")
            self.depth = 1
        self.blockshape, self.grid = tuple(block), grid
        self.total = 1
        for name, n in self.own:
            self.env[name] = 0, n - 1
            self.total *= n


@relaunched
def program(seed, options="", without=()):
    return nests.drawn(Apart(seed, without), options)
