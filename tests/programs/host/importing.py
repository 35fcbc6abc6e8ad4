"""Files that a program imports: their statements run once, with names of their own, and their
kernels are launched from either side."""
import numpy as np

import parts.steps as steps
from parts.steps import COUNT, run, scale as s, twice
from parts import scales


FACTOR = 7.0  # another one than that of scales


def count():
    from parts.steps import calls
    return len(calls)


y = np.arange(3.0)
s[1, 3](y)
print(y, run(2), run(1, start=2.5))
print(twice(y), steps.twice(1.0), steps.run is run)
print(COUNT, steps.COUNTED, count(), FACTOR, scales.FACTOR, __name__)
steps.missing
