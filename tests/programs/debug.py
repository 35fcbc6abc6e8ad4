"""Messages name the place in the text, the block and the thread; nothing is saved after a fault."""
import numpy as np

from expect import fails, options


def _fault(line, message):
    def decorate(reference):
        return options("--debug")(fails(3, rf"debug\.k:{line}:\d+: {message}")(reference))
    return decorate


@_fault(29, r"IndexError: .*block \(1, 0, 0\), thread \([23], 0, 0\)")
def index():
    return {}


@_fault(35, "IndexError")
def second_axis():
    return {}


@_fault(7, r"IndexError: .*thread \(3, 0, 0\)")
def index_in_a_function():
    return {}


@_fault(13, r"ValueError: .*negative.*thread \(2, 0, 0\)")
def raise_in_a_function():
    return {}


@_fault(14, "AssertionError: five")
def assert_in_a_function():
    return {}


@_fault(61, "ZeroDivisionError")
def division():
    return {}


@_fault(67, "ZeroDivisionError")
def modulo():
    return {}


@_fault(73, "ValueError: the step of a range is zero")
def zero_step():
    return {}


@_fault(80, "IndexError: tuple index out of range")
def tuple_index():
    return {}


@_fault(87, "IndexError")
def shared_index():
    return {}


@_fault(94, "IndexError")
def atomic_index():
    return {}


@_fault(21, "RuntimeError: below zero")
def recursive_raise():
    return {}


@options("--debug")
def nothing_wrong():
    return {"out": np.array([1.0, 0, 0, 0])}
