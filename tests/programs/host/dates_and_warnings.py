# Dates that are read, warnings that are filtered, and the rest of random's distributions.
import random
import time
import warnings
from datetime import datetime
from numba.core import errors
from numba.core.errors import NumbaPerformanceWarning, NumbaWarning, TypingError

warnings.resetwarnings()
for text, format in [("2023-01-05", "%Y-%m-%d"), ("05/Mar/99 07:08", "%d/%b/%y %H:%M"),
                     ("Tuesday, 4 July 2023 11:59:58 PM", "%A, %d %B %Y %I:%M:%S %p"),
                     ("2024-060", "%Y-%j"), ("12:30:01.25", "%H:%M:%S.%f"),
                     ("20240229T010203", "%Y%m%dT%H%M%S"), ("12:00 am", "%I:%M %p"),
                     ("1/2/2003  4:05", "%m/%d/%Y %H:%M"), ("100%", "%M0%%"),
                     ("Sat Nov 28 18:31:41 2026", "%c")]:
    try:
        print(repr(datetime.strptime(text, format)))
    except ValueError as e:
        print(e)
for text, format in [("2023-13-05", "%Y-%m-%d"), ("2023-02-30", "%Y-%m-%d"),
                     ("2023-01-05x", "%Y-%m-%d"), ("x", "%Q")]:
    try:
        print(datetime.strptime(text, format))
    except ValueError as e:
        print(e)
print(tuple(time.strptime("3 Jan 2021", "%d %b %Y")))
print(datetime.strptime("2023-01-05", "%Y-%m-%d").date() - datetime.strptime("1", "%d").date())

warnings.simplefilter("ignore", category=NumbaPerformanceWarning)
warnings.filterwarnings("ignore", message=".*grid size.*")
with warnings.catch_warnings(record=True) as seen:
    warnings.warn("low use", NumbaPerformanceWarning)
    warnings.warn("low Grid Size 1")
    warnings.warn("a", RuntimeWarning)
    warnings.simplefilter("ignore", RuntimeWarning)
    warnings.warn("b", RuntimeWarning)
    warnings.warn("c", NumbaWarning)
    warnings.simplefilter("always")
    for _ in range(2):
        warnings.warn("c", errors.NumbaWarning)
print([(str(one.message), one.category.__name__) for one in seen])
print(issubclass(TypingError, errors.NumbaError), issubclass(NumbaPerformanceWarning, Warning))
try:
    raise TypingError("no")
except errors.NumbaError as e:
    print(repr(e))

random.seed(5)
for _ in range(3):
    print(random.betavariate(2, 3), random.gammavariate(0.5, 2), random.gammavariate(1, 2))
    print(random.gammavariate(3.5, 1), random.lognormvariate(0, 1), random.paretovariate(3))
    print(random.weibullvariate(1, 1.5), random.vonmisesvariate(0, 4), random.vonmisesvariate(1, 0))
