"""Notes of exceptions, descriptors, generators of random numbers of their own, records one by one."""
import random
import traceback

import numpy as np


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name
        print("named", owner.__name__, name)

    def __get__(self, obj, objtype=None):
        return self if obj is None else getattr(obj, self.name)

    def __set__(self, obj, value):
        if value <= 0:
            raise ValueError(f"{self.name[1:]} must be positive")
        setattr(obj, self.name, value)


class Lazy:
    def __init__(self, function):
        self.function = function

    def __get__(self, obj, objtype=None):
        value = self.function(obj)
        obj.__dict__[self.function.__name__] = value
        return value


class Box:
    width = Positive()

    def __init__(self, width):
        self.width = width

    @Lazy
    def area(self):
        print("computing")
        return self.width ** 2


box = Box(3)
print(box.width, box.area, box.area, vars(box), isinstance(Box.width, Positive))
print(tried(setattr, box, "width", -1), tried(Box, 0), box.width)

a, b = random.Random(5), random.Random(5)
print(a.random() == b.random(), a.randint(1, 9), a.choice("xyz"), a.sample(range(9), 3), b.gauss(0, 1))
random.seed(5)
print(random.random(), random.Random(7).shuffle(deck := list(range(5))), deck)

try:
    try:
        raise ValueError("wrong")
    except ValueError as e:
        e.add_note("in step 3")
        e.add_note("of 5")
        print(e.__notes__, tried(e.add_note, 3))
        raise
except ValueError:
    print(traceback.format_exc().splitlines()[-3:])

t = np.dtype([("pos", np.float64, (2,)), ("mass", np.float32), ("id", np.int32)], align=True)
parts = np.zeros(2, dtype=t)
parts["pos"] = [[1.5, 0.1], [1 / 3, -2]]
parts["mass"] = [0.1, 2]
print(parts[0], parts[1], f"{parts[0]}", np.zeros(1, dtype=np.dtype([("x", np.int32)]))[0])
print(np.issubdtype(np.float32, np.floating), np.issubdtype(np.int8, np.integer), np.issubdtype(np.float64, np.float64))
print(np.issubdtype(np.int32, np.floating), np.issubdtype(parts["id"].dtype, np.number))
print(np.array2string(np.array([1.5, 2]), separator=", "), np.array2string(np.eye(2), precision=1, separator=", "))
print(list(map(str.upper, "ab")), Box.__init__.__name__, box.__init__.__self__ is box)
raise KeyError("last")
