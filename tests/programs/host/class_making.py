"""Classes that make their objects, know those made of them, and say what they have."""
import functools


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


class Single:
    """There is one."""

    _one = None

    def __new__(cls, *args, **options):
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one

    def __init__(self, name="x"):
        self.name = name


print(Single("a") is Single("b"), Single().name, Single.__doc__)


class Number:
    def __new__(cls, value):
        return value if value < 0 else object.__new__(cls)

    def __init__(self, value):
        self.value = value


print(Number(3).value, Number(-3), tried(Number))


class Shape:
    kinds = {}

    def __init_subclass__(cls, kind=None, **more):
        super().__init_subclass__(**more)
        Shape.kinds[kind or cls.__name__] = cls


class Circle(Shape):
    pass


class Square(Shape, kind="box"):
    "Four sides."


class Small(Square, kind="small"):
    def __init__(self):
        self.b, self.a = 1, 2


print(sorted(Shape.kinds), Shape.kinds["box"].__name__, Square.__doc__, Small.__doc__)
print(Small.__mro__, Small.__bases__, Shape.__bases__, Small.__qualname__)
small = Small()
small.__dict__.update(c=3)
small.__dict__["d"] = 4
del small.b
print(vars(small), small.c, small.d, small.__dict__ == vars(small), {**vars(small)})


def counted(f):
    @functools.wraps(f)
    def wrapper(*args):
        wrapper.calls += 1
        return f(*args)
    wrapper.calls = 0
    return wrapper


@counted
def twice(x):
    """Two times x."""
    return 2 * x


print(twice(twice(3)), twice.calls, twice.__name__, twice.__doc__, twice.__wrapped__(5))
print(hasattr(twice, "calls"), getattr(twice, "none", 7), __doc__.split()[0], __name__)
