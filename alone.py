import numpy as np
a = np.ones(5) * 2
