"""Where results are stored: out=, arrays that are given back as they are, and casts refused."""
import numpy as np
a = np.array([4.5, 2, -2.25]); b = a.astype(float, copy=False); b[0] = 1; print(a, b is a)
b = np.ascontiguousarray(a); b[1] = 7; print(a)
b = np.ascontiguousarray(a[::-1]); b[1] = 70; print(a, b)
np.clip(a, 0, 2, out=a); print(a)
a.clip(1, None, out=a); print(a)
x = np.array([1, 5, 9]); np.clip(x, 2, 6, out=x); print(x, np.clip(x, None, None))
o = np.zeros(3, np.float32); np.sqrt(np.array([1.0, 4, 9]), out=o); print(o)
np.mean(np.ones((2, 3)), axis=0, out=o); print(o)
np.sum(np.ones((2, 3)), axis=0, out=o); print(o)
i = np.zeros(3, int)
np.add(i, 1.5, out=i)
