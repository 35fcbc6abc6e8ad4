# Lists, dictionaries and data classes that hold themselves, twice at each step, as texts.
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field

d = {}
d["a"] = d
d["b"] = d
print(d, [d, d])
a = [1]
a.append((a, a))
print(a, a[1], {"a": a})
both = {"list": [d]}
d["both"] = both
print(both)
ordered = OrderedDict(x=1)
ordered["me"] = [ordered, ordered]
print(ordered)
counts = defaultdict(list)
counts["me"].append(counts)
print(counts["me"])


@dataclass
class Node:
    name: str
    parent: object = None
    children: list = field(default_factory=list)


root = Node("root")
for name in "ab":
    root.children.append(Node(name, root))
print(root)
print(root.children[1])
shared = [0]
print([shared, shared], {"x": shared, "y": (shared, shared)}, Node(shared, shared))


class Grows:
    def __repr__(self):
        for i in range(100):
            held[len(held)] = i
        return "Grows()"


held = {Grows(): 1}
print(f"{held}"[:12], len(held) > 100)
