"""What changed_in_another_file changes, itself or by the functions here."""
import numpy as np

count = 1
table = [1, 2]
array = np.arange(4)
filled = np.arange(4)
settings = {"n": 4}


def bump():
    global count
    count += 1


def fill(x):
    x[0] = 5


def set_n(value):
    settings["n"] = value


class Register:
    total = 0

    @classmethod
    def add(cls, value):
        cls.total += value
