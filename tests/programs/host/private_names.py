"""Names that belong to a class: two underscores in front, none behind."""
from enum import Enum


class Base:
    __count = 0
    __made: int = 7

    def __init__(self, k):
        self.__k = k
        Base.__count += 1

    def __step(self, by=1, *, __scale=2):
        return self.__k + by * __scale

    def base(self):
        return self.__step(3), self.__k, Base.__count, self.__made

    @property
    def __hidden(self):
        return "hidden of base"

    def show(self):
        return self.__hidden

    @staticmethod
    def __twice(x):
        return 2 * x

    def twice(self):
        return self.__twice(self.__k)


class _Derived(Base):
    __k = 100

    def __init__(self):
        super().__init__(1)
        self.__k = 20

    def __step(self):
        return "derived step"

    def derived(self):
        return self.__k, self.__step()

    def locals(self, __x):
        def __inner(y):
            return __x + y

        __total = sum(__z for __z in range(__x))
        f = lambda __w: __w + __total
        return __inner(1), __total, f(2), f"{__x}"


class Outer:
    __mark = "outer"

    class __Inner:
        __mark = "inner"

        def read(self):
            return self.__mark

    def read(self):
        return self.__mark, Outer.__Inner().read()


class Planet(Enum):
    __unit = 1000
    EARTH = 6

    def size(self):
        return self.value * self.__unit


d = _Derived()
print(d.base(), d.derived(), d.show(), d.twice())
print(d._Base__k, d._Derived__k, _Derived._Derived__k, Base._Base__count)
print(d.locals(4))
print(Outer().read())
print(Planet.EARTH.size(), len(list(Planet)))
d.__k = 5
print(d.__k, d._Derived__k, hasattr(d, "__k"), hasattr(d, "_Base__step"), hasattr(d, "__step"))
try_name = "_Base__k"
print(getattr(d, try_name))


class Broken:
    def __raise(self):
        return self.__nothing

    def go(self):
        return self.__raise()


Broken().go()
