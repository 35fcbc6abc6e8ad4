# property() and its like as functions, partialmethod, SimpleNamespace, and more of functools' kin.
from functools import partialmethod
from types import SimpleNamespace


class Cell:
    def __init__(self):
        self._alive = False

    def get_state(self):
        return self._alive

    def set_state(self, state):
        self._alive = bool(state)

    def drop(self):
        self._alive = None

    alive = property(get_state)
    state = property(get_state, set_state, drop, "the state")
    twice = property(lambda self: (self._alive, self._alive))
    set_alive = partialmethod(set_state, True)

    def add(self, a, b=1, *, c=0):
        return a, b, c

    add_one = partialmethod(add, 1, c=3)

    def make(cls, *args):
        return cls.__name__, args

    def plain(x):
        return x + 1

    make = classmethod(make)
    plain = staticmethod(plain)


cell = Cell()
print(cell.alive, cell.state, cell.twice)
cell.set_alive()
print(cell.alive, cell.state)
cell.state = 0
print(cell.state, cell.add_one(), cell.add_one(5), cell.add_one(5, c=6), Cell.add_one(cell))
del cell.state
print(cell.state, Cell.make(1, 2), cell.make(), Cell.plain(3), cell.plain(4))
try:
    cell.alive = True
except AttributeError as e:
    print(e)

space = SimpleNamespace(n=32, name="x", sizes=[1, 2])
space.n += 1
space.more = None
print(space, space.n, vars(space)["name"], hasattr(space, "less"))
print(space == SimpleNamespace(n=33, name="x", sizes=[1, 2], more=None), space == 3)
print(SimpleNamespace(**{"a": 1}), SimpleNamespace())
try:
    space.nothing
except AttributeError as e:
    print(e)
for key, value in sorted(space.__dict__.items()):
    print(key, value)
