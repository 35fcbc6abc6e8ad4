import sys
PRECISION = "single"
USE_FAST = sys.platform != "win32" and False
if PRECISION == "single":
    import numpy as np
    real = np.float32
    EPS = 1e-6
else:
    real = float
    EPS = 1e-12
LIMIT = 100
LIMIT += 28
LIMIT = LIMIT * 2
_private = 1
