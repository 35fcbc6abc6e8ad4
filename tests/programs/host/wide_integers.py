# Python's integers beyond 64 bits: operators, texts, conversions, keys.
import copy
import json
import math
import operator
import pickle
import random
import statistics
import struct

print(2**64, 2**63 - 1, -2**63, -2**63 - 1, 10**30, 0xFFFFFFFFFFFFFFFF, -0x8000000000000000)
print(18_446_744_073_709_551_616, 0b1 << 64, 0o7777777777777777777777, -9223372036854775808)
h = 14695981039346656037
for c in "hello":
    h = ((h ^ ord(c)) * 1099511628211) & (1 << 64) - 1
print(h, hex(h), f"{h:020x} {h:,} {h:b}", "%d %x %X %20d|" % (h, h, h, h), str(h), repr(h))

random.seed(1)
values = []
for _ in range(40):
    bits = random.randrange(1, 200)
    values.append(random.getrandbits(bits) * random.choice([1, -1]))
for a, b in zip(values, values[1:]):
    n = abs(b) % 70
    print(a + b, a - b, a * b, a & b, a | b, a ^ b, ~a, -a, abs(a), a << n, a >> n)
    print(a == b, a < b, a <= b, a > b, a != b, hash(a), a.bit_length(), bool(a), oct(a), round(a))
    print(a // b, a % b, divmod(a, b), a / b, math.gcd(a, b), math.lcm(a, b), math.floor(a))
    print(pow(abs(a) % 1000, abs(b) % 40), pow(a, abs(b) % 1000, abs(a) + 7), math.isqrt(abs(a)))
    print(float(a), a * 1.5, a < 1e20, a == float(a), int(float(a)))
    print(int(str(a)) == a, int(hex(a), 16) == a, int(bin(a), 0) == a)
    print(f"{a:+,d}|{a:>60}|{a:#x}|{a:e}")
print(math.factorial(30), math.comb(100, 50), math.perm(30, 20), math.prod(range(1, 30)))
print(sum([2**62] * 5), max(2**65, 3), min(-2**70, 1.5), sorted([2**70, 1, -2**66, 3.5, 2**65]))
counts = {2**70: 1, 5: 2}
counts[2**70] += 1
print(counts, 2**70 in counts, {2**65, 2**65, 1}, 2.0**70 in counts, hash(2.0**70) == hash(2**70))
print(isinstance(2**70, int), type(2**70), type(2**70) is int, (2**100).to_bytes(13, "big"))
print(int.from_bytes(b"\xff" * 9, "little"), int.from_bytes(b"\xff\xfe", "big", signed=True))
fib = [0, 1]
while len(fib) < 120:
    fib.append(fib[-1] + fib[-2])
print(fib[-1], sum(fib))
for wrong in (lambda: 2**64 // 0, lambda: 2**64 % 0, lambda: 1 << -1, lambda: 2**64 << -2**65,
              lambda: float(10**400), lambda: 10**400 * 1.0, lambda: 2**64 + "a",
              lambda: [1][2**64], lambda: 2**64 / 0, lambda: "%c" % 2**64, lambda: pow(3, 5, 0),
              lambda: "a" * 2**64, lambda: str(10**5000), lambda: 10**400 / 1):
    try:
        print(wrong())
    except (ArithmeticError, IndexError, ValueError, TypeError) as e:
        print(type(e).__name__, e)


class Far:
    def __index__(self):
        return 2**70

    def __hash__(self):
        return 2**70

    def __radd__(self, other):
        return "radd", other


print(hash(Far()) == hash(2**70), 2**70 + Far(), hex(Far()), int(Far()))
match 2**70:
    case 5:
        print("five")
    case 1180591620717411303424:
        print("matched")
x = 2**70
x += 1
x -= 2
x //= 3
x <<= 3
x |= 1
x %= 2**66
x **= 2
print(x, copy.deepcopy([x]) == [x], operator.mul(x, x), statistics.mean([2**70, 2**71]))
print(f"{-2**70:x}", "%+d" % 2**70, "%#x" % 2**70, format(2**70, "_"), f"{2**70:_x}", f"{2**70:^40}")
print(f"{2**70:.3e}", f"{2**70:.1%}", f"{2**70:40.2f}", f"{2**70!r:>30}", str(2**70).zfill(30))
print(2**70 or 5, not 2**70, [2**70] * 2, (2**70,) == (2**70,), -(-2**63), (-2**63) // -1)
print(int("zz" * 10, 36), int(" +1_000_000_000_000_000_000_000 "), int("-1" + "0" * 30), int(1e30))
print(math.sqrt(2**70), math.log2(2**70), math.floor(2**70), math.fmod(2**70, 3), math.ceil(1e20))
print((2**70).bit_count(), complex(2**70), 2**70 * 1j, 2**70 == 2.0**70 + 0j, round(2**63 - 1, -1))
print(json.dumps([2**70, -2**65]), json.loads("[36893488147419103232, 5]"))
print(struct.pack("<Q", 2**64 - 1), struct.unpack("<Qq", b"\xff" * 16))
print(pickle.loads(pickle.dumps({2**70: -2**90, 5: 2**63, -2**63 - 1: 2**3000})) ==
      {2**70: -2**90, 5: 2**63, -2**63 - 1: 2**3000}, pickle.dumps(2**70), pickle.dumps(-2**71))
print("abc"[:2**70], [1, 2, 3][-2**70:2**70], 16**32, 3**41, 3**40, 7**0, 2**0.5)
print((-123456).to_bytes(4, "little", signed=True), (300).to_bytes(2, "big"),
      int.from_bytes([1, 2], "big"), int.from_bytes(b"", "little"))
print(12345678901234567 / 7, -10938921 / 557202223245398016, (2**53 + 1) / 1, 2**200 / 2**190)
words = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0xfffffffe]


def some():
    made = 0
    for _ in range(random.randint(1, 6)):
        made = made << 32 | (random.choice(words) if random.random() < 0.7 else
                             random.getrandbits(32))
    return made * random.choice([1, -1])


total = 0
for _ in range(300):
    a, b, s = some(), some() or 1, random.randint(0, 200)
    q, r = divmod(a, b)
    assert q * b + r == a and int(str(b)) == b and int(oct(a), 8) == a
    given = q, r, a + b, a - b, a * b, a & b, a | b, a ^ b, a << s, a >> s, ~a, float(a), a < b
    total = (total * 31 + hash(given)) % (2**61 - 1)
print(total)
