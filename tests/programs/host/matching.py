"""`match` on the shape of values."""
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum


@dataclass
class Point:
    x: int
    y: int = 0


class Circle:
    __match_args__ = ("center", "radius")

    def __init__(self, center, radius):
        self.center, self.radius = center, radius


class Color(Enum):
    RED = 1
    BLUE = 2


Pair = namedtuple("Pair", "first second")
LIMIT = 10


class Limits:
    most = 99


def shape(value):
    match value:
        case None:
            return "none"
        case True | False:
            return "truth"
        case 0 | -1:
            return "zero or minus one"
        case Limits.most:
            return "the most"
        case Color.RED:
            return "red"
        case int(n) if n > LIMIT:
            return f"big {n}"
        case int() | float() as n:
            return f"number {n}"
        case "go" | "run":
            return "word"
        case str(text):
            return f"text {text!r}"
        case Point(x=0, y=0):
            return "origin"
        case Point(0, y):
            return f"on y at {y}"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point() as p:
            return f"point {p.x} {p.y}"
        case Circle(Point(cx, _), r):
            return f"circle at {cx} of {r}"
        case Pair(a, b):
            return f"pair {a} {b}"
        case []:
            return "empty"
        case [one]:
            return f"one {one}"
        case [1, *rest]:
            return f"one and {rest}"
        case (first, [inner, *_], *_, last):
            return f"nested {first} {inner} {last}"
        case [a, b] | [a, b, _]:
            return f"two or three {a} {b}"
        case [*_]:
            return f"many {len(value)}"
        case {"kind": "circle", "r": r}:
            return f"circle {r}"
        case {"kind": kind, **rest}:
            return f"{kind} with {rest}"
        case {}:
            return "mapping"
        case set():
            return "set"
        case _:
            return "other"


values = [None, True, 0, -1, 99, Color.RED, Color.BLUE, 50, 5, 2.5, "go", "stay", Point(0, 0), Point(0, 4),
          Point(3, 3), Point(1, 2), Circle(Point(7, 8), 2), Circle(1, 2), Pair(1, 2), [], (), [5], [1, 2, 3],
          [9, [8, 7], 6, 5], (2, 3), [2, 3, 4], range(2, 6), {"kind": "circle", "r": 1}, {"kind": "box", "w": 2},
          {"a": 1}, {}, {1}, 1j, len]
for v in values:
    print(shape(v))


def command(text):
    match text.split():
        case ["go", ("north" | "south") as where]:
            return where
        case ["take", *things] if things:
            return things
        case [verb]:
            return verb.upper()
        case [verb, *_]:
            return f"{verb}?"
    return "nothing"


for text in ("go north", "go up", "take a b", "take", "look", ""):
    print(command(text))


def steps(items):
    for item in items:
        match item:
            case [a, b]:
                yield a
                yield b
            case {"n": n}:
                yield n


print(list(steps([[1, 2], {"n": 3}, 4, (5, 6)])))
match [1, [2, 3]]:
    case [a, [b, c]]:
        print(a, b, c)
match {"x": [1, {"y": 2}]}:
    case {"x": [_, {"y": deep}]}:
        print(deep)
try:
    match Point(1, 2):
        case Point(a, b, c):
            print("never")
except TypeError as e:
    print(e)
try:
    match 5:
        case int(a, b):
            print("never")
except TypeError as e:
    print(e)
