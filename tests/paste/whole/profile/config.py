import numpy as np

# settings
THREADS_PER_BLOCK = 64
EXCL_ZONE_DENOM = 4
STD_DEV_THRESHOLD = 1e-7
P_NORM_THRESHOLD = 1e-14
D_SQUARED_THRESHOLD = 1e-14
MAX_SQUARE = np.finfo(np.float64).max
MAX_DISTANCE = np.sqrt(MAX_SQUARE)
PRECISION = {"float32": 1e-6, "float64": 1e-14}


def _reset(var=None):
    for name, value in list(globals().items()):
        if name.isupper():
            globals()[name] = value
