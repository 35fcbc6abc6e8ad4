import enum
import json
from enum import Enum, IntEnum, StrEnum, auto
class Kind(str, Enum):
    CALL = "call"
    PUT = "put"
    @property
    def short(self):
        return self.value[0]
    @classmethod
    def parse(cls, text):
        return cls(text.lower())
k = Kind.CALL
print(k, repr(k), f"{k} {k!s:>12}|{k:>12}|", k.value, k.name, k.short, Kind.parse("PUT"), "%s" % k, str(k))
print(k == "call", "call" == k, k is Kind.CALL, k != Kind.PUT, isinstance(k, str), isinstance(k, Kind), isinstance(k, Enum))
print({k: 1}["call"], {"call": 2}[k], k in {"call"}, k.upper(), k + "s", len(k), k[1:], [m for m in Kind], list(Kind), len(Kind))
print(json.dumps({"kind": k, k: 1}), Kind["PUT"], sorted(Kind), "put" in [m.value for m in Kind], type(k), hash(k) == hash("call"), max(Kind))
try:
    Kind("swap")
except ValueError as e:
    print(e)
class Color(StrEnum):
    RED = auto()
    DARK_BLUE = auto()
    def __str__(self):
        return f"<{self.value}>"
print(Color.RED, Color.DARK_BLUE.value, f"{Color.RED}", f"{Color.RED:>7}", Color.RED == "red", repr(Color.RED))
class Plain(StrEnum):
    A = "a"
print(Plain.A, f"{Plain.A:>3}", "".join([Plain.A, "b"]), str(Plain.A).upper())
class Op(int, Enum):
    ADD = 1
    SUB = 2
print(Op.ADD, f"{Op.SUB}", Op.ADD + 1, repr(Op.ADD), "%d" % Op.SUB, Op(2), isinstance(Op.ADD, int))
class Shape(enum.Enum):
    ROUND = 1
    FLAT = "f"
    def __str__(self):
        return self.name.lower()
print(Shape.ROUND, f"{Shape.FLAT:*^8}", repr(Shape.ROUND), [str(s) for s in Shape], "{}".format(Shape.FLAT))
class Level(IntEnum):
    LOW = 1
print(Level.LOW, f"{Level.LOW}", repr(Level.LOW), Level.LOW + 1)
match k:
    case Kind.PUT:
        print("put")
    case Kind.CALL:
        print("call it")
