from math import *

import numpy as np

PITCH = 50e-6
COUNT = 6
RADII = tuple(round(0.03 * (1 + k) + 0.01 * sqrt(k), 4) for k in range(COUNT))
THICKNESS = np.array([300e-6 if k % 2 else 150e-6 for k in range(COUNT)])
del PITCH
