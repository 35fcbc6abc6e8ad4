# linspace() with its step, floats as ratios, and what a slice is of a length.
import numpy as np
x, step = np.linspace(0, 1, 5, retstep=True)
print(x, step, np.linspace(0, 1, 5, endpoint=False, retstep=True))
print(np.linspace(0, 1, 4, False), np.linspace(0, 1, 3, dtype=np.float32))
print((0.5).as_integer_ratio(), (0.1).as_integer_ratio(), (-3.75).as_integer_ratio())
print((7).as_integer_ratio(), (1e22).as_integer_ratio(), (5e-324).as_integer_ratio()[1] == 2**1074)
print(np.float64(3.0).is_integer(), np.float32(2.5).is_integer(), (4.0).is_integer())
print(slice(1, 5, 2).indices(10), slice(None, None, -1).indices(4), slice(-3, None).indices(10))
print(slice(None, -20, -2).indices(5), slice(8, 99).indices(5))
for bad in (float("nan"), float("inf")):
    try:
        bad.as_integer_ratio()
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
