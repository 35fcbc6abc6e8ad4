# Methods that make objects whose methods make objects: what a call may change is not followed for ever.
class Kept:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name)

    def __set__(self, obj, value):
        if value is None:
            raise ValueError(f"{self.name[1:]} is missing")
        setattr(obj, self.name, value)


class Power:
    value = Kept()
    made = 0

    def __init__(self, value):
        self.value = value

    @classmethod
    def of(cls, value):
        out = cls(value)
        cls.made += 1
        return out

    def __mul__(self, other):
        return Power.of(self.value * (other.value if isinstance(other, Power) else other))

    __rmul__ = __mul__

    def __add__(self, other):
        return Power.of(self.value + other.value)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __pow__(self, n):
        result, base = Power(1), self
        while n:
            if n & 1:
                result = result * base
            base, n = base * base, n >> 1
        return result


two = Power(2)
print((two ** 10).value, (3 * two).value, (two - two).value, Power.made)
try:
    two.value = None
except ValueError as e:
    print(e)
print((two * two + two).value, Power.value.name)
