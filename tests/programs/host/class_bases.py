"""Classes of several bases, properties that are set, decorated and abstract methods."""
import functools
from abc import ABC, abstractmethod
from functools import cached_property, wraps


class Temperature:
    def __init__(self, celsius):
        self.celsius = celsius

    @property
    def celsius(self):
        return self._celsius

    @celsius.setter
    def celsius(self, value):
        if value < -273.15:
            raise ValueError("below zero")
        self._celsius = value

    @celsius.deleter
    def celsius(self):
        print("deleted")
        del self._celsius

    @property
    def kelvin(self):
        return self._celsius + 273.15

    @cached_property
    def label(self):
        print("computed")
        return f"{self._celsius:.1f} C"


t = Temperature(20)
t.celsius = 25
t.celsius += 1
print(t.celsius, t.kelvin, t.label, t.label)
for change in (lambda: setattr(t, "celsius", -300), lambda: setattr(t, "kelvin", 1), lambda: Temperature(-1000)):
    try:
        change()
    except (ValueError, AttributeError) as e:
        print(type(e).__name__, e)
del t.celsius
try:
    t.celsius
except AttributeError as e:
    print(e)
try:
    del t.kelvin
except AttributeError as e:
    print(e)


def counted(method):
    @wraps(method)
    def wrapper(self, *args, **options):
        self.calls = getattr(self, "calls", 0) + 1
        return method(self, *args, **options)
    return wrapper


def scaled(by):
    def decorate(method):
        def wrapper(*args):
            return by * method(*args)
        return wrapper
    return decorate


class Worker:
    @counted
    def work(self, n, twice=False):
        return n * 2 if twice else n

    @counted
    @scaled(10)
    def more(self, n):
        return n + 1

    @staticmethod
    @scaled(3)
    def alone(n):
        return n

    @classmethod
    def named(cls):
        return cls.__name__

    @property
    @scaled(2)
    def double(self):
        return 4

    @functools.lru_cache(maxsize=None)
    def cached(self, n):
        print("cached", n)
        return n


w = Worker()
print(w.work(3), w.work(3, twice=True), w.more(1), w.calls, w.alone(2), Worker.alone(4), w.named(), w.double)
print(w.cached(1), w.cached(1))


class Shape(ABC):
    def __init__(self, name):
        self.name = name

    @abstractmethod
    def area(self):
        """In squares."""

    @property
    @abstractmethod
    def corners(self):
        pass

    def describe(self):
        return f"{self.name}: {self.area()} {self.corners}"


class Square(Shape):
    def __init__(self, side):
        super().__init__("square")
        self.side = side

    def area(self):
        return self.side ** 2

    corners = 4


class Open(Shape):
    def area(self):
        return 0


print(Square(3).describe(), isinstance(Square(1), Shape), issubclass(Square, Shape), issubclass(Shape, Square))
for make in (lambda: Shape("x"), lambda: Open("y")):
    try:
        make()
    except TypeError as e:
        print(e)


class A:
    def __init__(self, **rest):
        print("A", rest)
        self.a = 1

    def who(self):
        return "A"

    def chain(self):
        return ["A"]


class B(A):
    def __init__(self, b=2, **rest):
        super().__init__(**rest)
        self.b = b

    def who(self):
        return "B" + super().who()

    def chain(self):
        return ["B"] + super().chain()


class C(A):
    def __init__(self, c=3, **rest):
        super().__init__(**rest)
        self.c = c

    def who(self):
        return "C" + super(C, self).who()

    def chain(self):
        return ["C"] + super().chain()


class Mixin:
    def hello(self):
        return f"hello {self.who()}"

    @classmethod
    def create(cls, *args):
        return cls(*args)


class D(B, C, Mixin):
    def __init__(self, **rest):
        super().__init__(b=20, **rest)

    def chain(self):
        return ["D"] + super().chain()

    @classmethod
    def create(cls):
        made = super().create()
        made.created = True
        return made


d = D(c=30)
print(d.a, d.b, d.c, d.who(), d.chain(), d.hello())
print(D.create().created, isinstance(d, Mixin), isinstance(d, (C,)), isinstance(d, object), issubclass(D, (A, int)))
print(type(d).__name__, d.__class__.__name__, D)
try:
    class E(A, B):
        pass
except TypeError as e:
    print(e)


class Broken(Mixin, KeyError):
    def who(self):
        return self.args[0]


class Wide(LookupError, Mixin):
    pass


try:
    raise Broken("k")
except LookupError as e:
    print(e.hello(), repr(e), e, isinstance(e, KeyError), issubclass(Broken, Exception))
try:
    raise Wide("w", 1)
except (KeyError, Wide) as e:
    print(e)

missing = object()
print(missing is missing, missing == object(), isinstance(missing, object), isinstance(1, object))


class Outer(object):
    class Inner:
        value = 5

    kind = Inner

    def get(self):
        return self.Inner().value + self.kind.value


print(Outer().get(), Outer.Inner.value)
