"""A function of NumPy's that is written in Python, first asked for amid an expression with long texts."""
import numpy as np

print(len(str(list(range(300000)))), np.roll(np.arange(3), 1))
