import numpy as np
a = np.zeroes(3)
