"""How arrays are printed: set_printoptions, and floats of few bits."""
import numpy as np
print(np.array([0.4, 1.1111111e-6], dtype=np.float32), np.array([0.4, 1e-6], dtype=np.float16), np.array([0.1, 1e-9, 3e5]), np.array([1/3, 1e-9],dtype=np.float32))
np.set_printoptions(precision=3, suppress=True)
print(np.array([0.4, 1.1111111e-6]), np.array([1e9, 1.5]), np.array([[1/3, 2/3], [100.123456, 5]]))
np.set_printoptions(precision=5, suppress=False, threshold=5, edgeitems=2, linewidth=40)
print(np.arange(10), np.arange(30).reshape(3, 10) / 7, repr(np.arange(8) * 1.5))
