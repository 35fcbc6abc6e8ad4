"""What is raised, handled, passed on, and looked after."""
import math
import numpy as np


class AppError(Exception):
    """A base of others."""


class Limit(AppError):
    def __init__(self, what, most):
        super().__init__(f"{what} is above {most}")
        self.what, self.most = what, most


class Coded(ValueError):
    code = 7

    def __str__(self):
        return f"code {self.code}: {self.args}"


def attempt(f, *args):
    try:
        value = f(*args)
    except ZeroDivisionError:
        return "division"
    except (IndexError, KeyError) as e:
        return f"{type(e).__name__} {e} {e.args}"
    except AppError as e:
        return "app", str(e), repr(e)
    except Exception as e:
        return type(e).__name__, str(e)
    else:
        return "fine", value
    finally:
        print("left", f.__name__)


def divide(a, b):
    return a // b


def item(x, k):
    return x[k]


def limit(n):
    if n > 3:
        raise Limit("n", 3)
    return n


def coded(n):
    raise Coded(n, "x")


def bare():
    raise ValueError


def text(x):
    return int(x)


def unpack(x):
    a, b = x
    return a + b


def asserts(x):
    assert x > 0, f"{x} is not positive"
    assert x < 10
    return x


print(attempt(divide, 7, 2), attempt(divide, 7, 0))
print(attempt(item, [1, 2], 5), attempt(item, {"a": 1}, "b"), attempt(item, {}, 3), attempt(item, (1,), 0))
print(attempt(limit, 2), attempt(limit, 9))
print(attempt(coded, 1), attempt(bare))
print(attempt(text, "12"), attempt(text, "1x"), attempt(text, None))
print(attempt(unpack, (1, 2)), attempt(unpack, (1, 2, 3)), attempt(unpack, 4))
print(attempt(asserts, 5), attempt(asserts, -1), attempt(asserts, 11))
print(attempt(math.sqrt, -1), attempt(math.exp, 1000))
print(attempt(lambda: undefined_name), attempt(lambda: (5).nothing), attempt(lambda: "a" + 1))
print(attempt(lambda: np.zeros(3)[5]), attempt(lambda: np.zeros((2, 3)) + np.zeros(4)))
print(attempt(lambda: next(iter([]))), attempt(lambda: limit(1, 2)))


# what leaves a function, and in which order
def leaves(kind):
    try:
        if kind == 0:
            return "returned"
        if kind == 1:
            raise ValueError("raised")
    except ValueError:
        return "handled"
    finally:
        print("finally", kind)
    return "end"


print([leaves(k) for k in range(3)])


def overrides():
    try:
        raise KeyError("lost")
    finally:
        return "finally returns"


def loops():
    done = []
    for i in range(6):
        try:
            if i == 1:
                continue
            if i == 4:
                break
            done.append(i)
        finally:
            done.append(-i)
    else:
        done.append("else")
    return done


print(overrides(), loops())


# nested, raised again, with causes and contexts
def again():
    try:
        try:
            divide(1, 0)
        except ZeroDivisionError as e:
            raise AppError("wrapped") from e
    except AppError as e:
        print(repr(e), repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
        raise


try:
    again()
except Exception as e:
    print("outer", e, type(e).__name__, isinstance(e, AppError), isinstance(e, ValueError))

try:
    try:
        raise ValueError("first")
    except ValueError:
        raise TypeError("second")
except TypeError as e:
    print(e, "context", repr(e.__context__))

try:
    try:
        raise ValueError("first")
    except ValueError:
        raise TypeError("second") from None
except TypeError as e:
    print(e.__cause__, e.__suppress_context__, repr(e.__context__))

e = "kept"
try:
    raise ValueError(1, "two")
except ValueError as error:
    print(error.args, str(error), repr(error))
print(e, "error" in dir() if False else "")
try:
    print(error)
except NameError as missing:
    print(missing)


# classes, and what they are of
for c in (Exception, ValueError, LookupError, ArithmeticError, OSError, Coded, Limit):
    try:
        raise c("x", 1) if c is not Limit else Limit("y", 2)
    except LookupError as e:
        print("lookup", e)
    except (ArithmeticError, Coded) as e:
        print("either", e)
    except OSError as e:
        print("os", e.errno, e.strerror, e)
    except BaseException as e:
        print("base", type(e), e, isinstance(e, Exception))

try:
    raise Limit("m", 4)
except AppError as e:
    e.extra = [1]
    print(e.what, e.most, e.extra, hasattr(e, "none"), e.__class__ is Limit, e.__class__.__name__)

try:
    exit(3)
except SystemExit as e:
    print("exit", e.code)


def tries(n):
    """Goes on until it is right."""
    while True:
        try:
            return 12 // n
        except ZeroDivisionError:
            n += 1


def deep(n):
    try:
        return deep(n + 1) if n < 50 else 1 // 0
    finally:
        counted.append(n)


counted = []
try:
    deep(0)
except ZeroDivisionError as e:
    print(tries(0), len(counted), counted[:3], e)


def endless(n):
    return endless(n + 1)


try:
    endless(0)
except RecursionError as e:
    print(e)


def raises_in_handler():
    try:
        return [][0]
    except IndexError:
        try:
            return {}["k"]
        except KeyError as e:
            return str(e), repr(e.__context__)


print(raises_in_handler())

errors = []
for value in ("1", "x", "2.5", "", "7"):
    try:
        errors.append(int(value))
    except ValueError as e:
        errors.append(str(e))
print(errors)

try:
    raise AppError
except AppError as e:
    print(repr(e), str(e) == "", e.args)

stored = None
try:
    {}[(1, 2)]
except KeyError as e:
    stored = e
print(repr(stored), stored.args[0][1])

try:
    import a_module_that_is_not_there
    there = True
except ImportError:
    there = False
print(there)

try:
    try:
        raise ValueError("a")
    finally:
        print("cleanup")
except ValueError as e:
    print("after", e)

try:
    raise 5
except TypeError as e:
    print(e)
try:
    try:
        1 / 0
    except 5:
        pass
except TypeError as e:
    print(e, repr(e.__context__))
try:
    np.linalg.inv(np.zeros((2, 2)))
except np.linalg.LinAlgError as e:
    print(type(e).__name__, e)
