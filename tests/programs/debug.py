"""Messages name the place in the text, the block and the thread; nothing is saved after a fault."""
import numpy as np

from expect import fails, options


def _fault(line, message):
    def decorate(reference):
        return options("--debug")(fails(3, rf"debug\.k:{line}:\d+: {message}")(reference))
    return decorate


@_fault(31, r"IndexError: index [67] is out of range for axis 0 of size 6 "
             r"\(block \(1, 0, 0\), thread \([23], 0, 0\)")
def index():
    return {}


@_fault(37, "IndexError: index 3 is out of range for axis 1 of size 3 ")
def second_axis():
    return {}


@_fault(9, r"IndexError: index -8 .* axis 0 of size 6 .*thread \(3, 0, 0\)")
def index_in_a_function():
    return {}


@_fault(15, r"ValueError: \('negative:', -1\).*thread \(2, 0, 0\)")
def raise_in_a_function():
    return {}


@_fault(16, "AssertionError: five")
def assert_in_a_function():
    return {}


@_fault(63, "ZeroDivisionError")
def division():
    return {}


@_fault(69, "ZeroDivisionError")
def modulo():
    return {}


@_fault(75, "ValueError: the step of a range is zero")
def zero_step():
    return {}


@_fault(82, "IndexError: tuple index out of range: 4 in a tuple of 3 ")
def tuple_index():
    return {}


@_fault(89, "IndexError")
def shared_index():
    return {}


@_fault(96, "IndexError")
def atomic_index():
    return {}


@_fault(23, "RuntimeError: below zero")
def recursive_raise():
    return {}


@options("--debug")
def nothing_wrong():
    return {"out": np.array([1.0, 0, 0, 0])}


@_fault(114, "ZeroDivisionError: division by zero ")
def float_division():
    return {}


@_fault(120, "ZeroDivisionError")
def augmented_division():
    return {}


@_fault(126, "ZeroDivisionError")
def complex_division():
    return {}


@_fault(132, "ZeroDivisionError")
def division_and_rest():
    return {}


@_fault(138, "ZeroDivisionError: 0 cannot be raised to a negative power ")
def power_of_zero():
    return {}


@_fault(144, "ValueError: the step of a slice is zero ")
def zero_slice_step():
    return {}


@_fault(150, "IndexError: index 12 is out of range for axis 0 of size 4 ")
def row_out_of_range():
    return {}


@_fault(158, r"ValueError: \('100% wrong', -3, 2.5, True, \(18446744073709551613, 'x'\)\) \(block \(0, 0, 0\), thread \(2, 0, 0\)\)")
def raise_with_values():
    return {}


@_fault(164, r"NotImplementedError \(")
def raise_without_message():
    return {}


@_fault(170, r"AssertionError \(")
def assert_without_message():
    return {}


@_fault(176, "AssertionError: -1.5 ")
def assert_with_a_number():
    return {}


@_fault(183, r"AssertionError: \('v is', -3\) ")
def assert_in_a_closure():
    return {}


@_fault(194, r"IndexError: index [67] is out of range for axis 0 of size 6, in getitem\(\) ")
def in_the_library():
    return {}


@_fault(201, r"IndexError: index 3 is out of range for axis 0 of size 3, in linear\(\) ")
def in_an_imported_module():
    return {}


@_fault(206, "IndexError: index -6 is out of range for axis 0 of size 5 ")
def index_in_a_recursion():
    return {}


@fails(3, r"debug\.k:219:\d+: ZeroDivisionError: .*thread \([0-7], 0, 0\)")
def the_decorator_asks():
    return {}


@options("--debug")
def what_is_no_fault():
    return {"out": np.array([np.nan, -np.inf, -np.inf, 0, 0, 8])}


@_fault(237, "IndexError: the index is out of range for a range")
def range_index():
    return {}


@_fault(243, r"ValueError: \('shapes do not fit: an axis of', 3, 'is read for one of', 4\)")
def ufunc_shapes():
    return {}


@_fault(252, r"UnboundLocalError: cannot access local variable 'v' where it is not associated "
             r"with a value \(block \(0, 0, 0\), thread \(5, 0, 0\)\)")
def set_in_one_branch():
    return {}


@_fault(259, r"UnboundLocalError: cannot access local variable 'last' where it .*thread \(0, 0, 0\)")
def loop_without_iterations():
    return {}


@options("--debug")
def read_where_it_is_set():
    return {"out": np.array([1.0, -1, 4, -1, 7, -1, 20, -1])}
