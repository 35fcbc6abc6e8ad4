def half(n):
    return n / 0


print(half(3))
