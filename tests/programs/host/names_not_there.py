"""What a handler hears of a name or a module that is not there."""
try:
    from numba import cuda, flot32
except ImportError as e:
    print(type(e).__name__, str(e).partition(" (")[0])
try:
    from numpy import zerros
except ImportError as e:
    print(type(e).__name__, str(e).partition(" (")[0])
try:
    from numpy.linalg import solv as solve
except Exception as e:
    print(type(e).__name__, str(e).partition(" (")[0])
try:
    from numba.cuda import gird
except ModuleNotFoundError:
    print("no module")
except ImportError as e:
    print(type(e).__name__, str(e).partition(" (")[0])
try:
    import numppy as q
except ImportError as e:
    print(type(e).__name__, e)
try:
    from numppy.linalg import solve
except ImportError as e:
    print(type(e).__name__, e)
try:
    from collections import dequeue
except ImportError:
    from collections import deque as dequeue
print(dequeue([1, 2]))
try:
    import numppy.linalg.parts as q
except ImportError as e:
    print(e)
try:
    import numpy.nothing
except ImportError as e:
    print(e)
try:
    import parts.nothing
except ImportError as e:
    print(e)
