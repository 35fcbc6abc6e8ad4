# What functions give back, directly and by others.
def five():
    return 5


def passed_on():
    return five()


def both(n):
    return (passed_on(), n) if n else five()


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def counter():
    count = 0

    def next_one():
        nonlocal count
        count += 1
        return count

    return next_one


tick = counter()
print(passed_on(), both(0), both(1), even(10), odd(7))
print(tick(), tick(), (lambda x: five() + x)(2), [passed_on() for _ in range(2)])
print(type(passed_on()).__name__, passed_on.__name__, max(five(), tick()))
