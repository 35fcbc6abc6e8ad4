# What == asks of two objects, in Python's order, and super() in methods of classes.
class Plain:
    pass


class Equal(Plain):
    def __eq__(self, other):
        return True


class Never(Equal):
    def __eq__(self, other):
        return False


print(Plain() == Equal(), Equal() == Plain(), Plain() != Equal(), 3 == Equal(), Plain() == 3)
print(Equal() == Never(), Never() == Equal(), [Plain()] == [Equal()], Plain() in [Equal()])


class Shape:
    @classmethod
    def of(cls, side):
        return cls.__name__, side


class Square(Shape):
    @classmethod
    def of(cls, side):
        return super().of(side + 1)


print(Square.of(2), Square().of(3), Shape.of(1))
