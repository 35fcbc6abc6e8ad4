"""Kernels as they come from CUDA C: matrices and volumes in one axis, at i * w + j.

A kernel that is made has some of its arrays changed so, and their extents become parameters: those that are read
at indices of which none counts from the end, and those that are written at one place alone, so that a thread still
writes what is its own.
"""
import ast


class Uses(ast.NodeVisitor):
    """By array: the texts of its indices; None where it is used in another way."""

    def __init__(self, shapes):
        self.shapes, self.places = shapes, {name: set() for name in shapes}

    def visit_Subscript(self, node):
        array, place = node.value, node.slice
        if isinstance(array, ast.Attribute) and array.attr == "shape" and isinstance(place, ast.Constant):
            return                                        # x.shape[0]
        shape = self.shapes.get(getattr(array, "id", ""))
        if shape and self.is_place(place, len(shape)) and self.places[array.id] is not None:
            self.places[array.id].add(ast.unparse(place))
            self.visit(place)
            return
        self.generic_visit(node)

    def visit_Name(self, node):
        if node.id in self.shapes:
            self.places[node.id] = None

    @staticmethod
    def is_place(place, rank):
        return isinstance(place, ast.Tuple) and len(place.elts) == rank and not any(
            isinstance(node, (ast.USub, ast.Slice, ast.Starred)) for node in ast.walk(place))


class Flatten(ast.NodeTransformer):
    def __init__(self, g, shapes, names):
        self.g, self.shapes, self.names, self.nested = g, shapes, names, g.chance(0.5)

    def visit_Subscript(self, node):
        self.generic_visit(node)
        array = node.value
        of = array.value if isinstance(array, ast.Attribute) else array
        name = getattr(of, "id", "")
        if name not in self.names:
            return node
        if of is not array:
            return ast.Name(self.extent(self.shapes[name][node.slice.value]), ast.Load())
        text = self.index([ast.unparse(each) for each in node.slice.elts], self.shapes[name][1:])
        return ast.Subscript(of, ast.parse(text, mode="eval").body, node.ctx)

    def index(self, indices, sides):
        lengths = [self.extent(side) for side in sides]
        if self.nested:                                   # (i * h + j) * w + k
            text = f"({indices[0]})"
            for index, length in zip(indices[1:], lengths):
                text = f"({text} * {length} + ({index}))"
            return text
        terms = [" * ".join([f"({index})", *lengths[axis:]]) for axis, index in enumerate(indices)]
        return " + ".join(terms)                          # i * h * w + j * w + k

    def extent(self, side):
        if 2 <= side <= 4 and self.g.chance(0.5):         # of channels, say
            return str(side)
        if side not in self.g.sides:
            self.g.sides[side] = self.g.scalar("n", self.g.pick("int64", "int64", "int32"), side)
        return self.g.sides[side]


def flattened(g, body):
    """The kernel's lines, with some of its arrays in one axis; g.parameters change too."""
    tree = ast.parse("\n".join(body))
    others = {word.id for _, value, _ in g.parameters for word in ast.walk(ast.parse(value))
              if isinstance(word, ast.Name)}              # of which views are parameters, too
    shapes = {name: shape for name, shape in g.shapes.items()
              if len(shape) > 1 and 0 not in shape and name not in others}
    uses = Uses(shapes)
    uses.visit(tree)
    written = {name for name, _, write in g.parameters if write}
    names = {name for name, places in uses.places.items()
             if places and (len(places) == 1 or name not in written) and g.chance(0.85)}
    g.sides = {}
    tree = Flatten(g, shapes, names).visit(tree)
    size = {name: ast.unparse(ast.parse("*".join(map(str, shapes[name])), mode="eval")) for name in names}
    g.parameters[:] = [(name, f"({value}).reshape({size[name]})" if name in names else value, write)
                       for name, value, write in g.parameters]
    return ast.unparse(ast.fix_missing_locations(tree)).splitlines()
