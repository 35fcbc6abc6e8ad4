"""Decimal numbers against CPython's: arithmetic, rounding, texts, contexts, and random ones."""
from decimal import Decimal, getcontext, localcontext, ROUND_HALF_UP, ROUND_DOWN, ROUND_UP, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_DOWN, ROUND_HALF_EVEN, InvalidOperation, DivisionByZero
import decimal
import random
D = Decimal
print(D("1.10") + 1, D(1) / D(7), D("2.675").quantize(D("0.01"), rounding=ROUND_HALF_UP), sum([D("0.1")] * 3), D(0.1), D("1E+5") * 2, D("1e-10"), D("-0.00"), D("0E-7"), D("123E3"), D("1.20") * 3, D(3) / 2, D(10) / 5, D(-7) // 2, D(-7) % 3, D("7.5") % 2, 2 - D("0.5"), 1 / D(8), D(2) ** 10, D(2) ** -2, D("1.1") ** 20, -D("1.0"), abs(D("-2")), D("5") == 5, D("0.5") == 0.5, D("0.1") == 0.1, D("0.1") < 0.2, hash(D("0.5")) == hash(0.5), hash(D("0.1")), hash(D(3)) == 3, repr(D("1.0")))
for r in (ROUND_HALF_UP, ROUND_DOWN, ROUND_UP, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_DOWN, ROUND_HALF_EVEN):
    print(r, [str(D(x).quantize(D("0.1"), rounding=r)) for x in ("1.25", "-1.25", "1.35", "0.04", "-0.04", "2.21", "9.99")], D("-2.5").to_integral_value(rounding=r))
print(round(D("2.5")), round(D("2.675"), 2), int(D("-3.9")), float(D("1.25")), D("100").normalize(), D("1.500").normalize(), D("2").sqrt(), D("16").sqrt(), D("0.25").sqrt(), D("12345678901234567890").sqrt(), D("3.14").as_tuple(), D("-1.5").as_integer_ratio(), bool(D(0)), max(D(1), D("1.5")), sorted([D("2"), D("1.5"), D(-1)]), D("1.5").adjusted())
print(f"{D('1234567.891'):,.2f}|{D('1.5'):>8}|{D('1.5'):.3f}|{D('0.256'):.1%}|{D('-3.14159'):+.2f}|{D('2'):08.2f}|{D('1e3'):f}|{D('12'):<6}|{D('1234.5'):,}|{D('5'):^7.1f}|")
getcontext().prec = 6
print(D(1) / D(3), D("123456789") + 1, D(2).sqrt(), D("1.23456789") * 1)
with localcontext() as c:
    c.prec = 40
    print(D(1) / D(3), getcontext().prec)
print(getcontext().prec, D(22) / 7)
for f in (lambda: D("abc"), lambda: D(1) / 0, lambda: D(0) / 0, lambda: D(1) + 1.5, lambda: D("-1").sqrt()):
    try: print(f())
    except (ArithmeticError, TypeError) as e: print(type(e).__name__, isinstance(e, ZeroDivisionError))
getcontext().prec = 28
r = random.Random(5)
for _ in range(60):
    a, b = [D((r.randint(0, 1), [r.randint(0, 9) for _ in range(r.randint(1, 20))], r.randint(-12, 6))) for _ in "ab"]
    print(a, b, a + b, a - b, a * b, a / b if b else "-", a // b if b and abs(a) < abs(b) * 10 ** 20 else "-", a % b if b and abs(a) < abs(b) * 10 ** 20 else "-", a < b, abs(a).sqrt(), hash(a), +a, -b, a ** 3, int(a), float(a))
