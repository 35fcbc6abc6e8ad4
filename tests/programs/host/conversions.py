"""What floats become as integers, of few elements and of many: also beyond what the type holds."""
import numpy as np

numbers = (300.0, -1.0, -3.7, 70000.5, 2.0**31, -2.0**31, -2.0**31 - 1, 1e30, np.nan, -np.inf)
for n in (3, 20000, 100000):
    print(n)
    for x in numbers:
        a = np.full(n, x)
        small = [int(a.astype(t)[1]) for t in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64)]
        single = [int(a.astype(np.float32).astype(t)[2]) for t in (np.int8, np.uint8, np.int32, np.int64)]
        stored = np.zeros(n, dtype=np.int16)
        stored[:] = a + 0
        added = (a + 1).astype(np.uint8)
        print(x, small, single, int(stored[2]), int(added[1]))
    wide = np.full(n, 2.0**63)
    print(wide.astype(np.uint64)[0], (wide * 1.5).astype(np.uint64)[1], np.full(n, -1.0).astype(np.uint64)[2])
    whole = np.full(n, 9007199791611905)
    print(whole.astype(np.float32).astype(np.float64)[1], whole.astype(np.uint64).astype(np.float32)[0])
    turned = np.full(n, 1j)
    print(turned.astype(np.bool_)[1], turned.imag.astype(np.int8)[1])
