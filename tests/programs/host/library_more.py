"""More of Python's library: json's hooks, methods of bytes, fractions, colours, UUIDs, array,
configuration files with comments and values of several lines."""
import colorsys
import configparser
import io
import json
import operator
import random
import traceback
import uuid
from array import array
from collections import OrderedDict
from fractions import Fraction

import numpy as np

print(b"ab".ljust(4, b"\0"), b"ab".rjust(5), b"7".zfill(3), b"a=b=c".partition(b"="), b"a=b=c".rpartition(b"="), b"abc".rfind(b"c"), b"xay".removeprefix(b"x"), b"ab1".isalnum(), b"mid".center(8, b"*"))
print(json.loads('{"a": 1.5, "b": [2, {"c": 3}]}', parse_float=lambda s: s + "!", parse_int=lambda s: -int(s)))
print(json.loads('{"x": 1, "y": {"z": 2}}', object_pairs_hook=OrderedDict), json.loads('[NaN, Infinity]', parse_constant=str), json.load(io.StringIO("[1e2]"), object_hook=dict))
print(operator.methodcaller("split", ",", maxsplit=1)("a,b,c"), sorted(["B", "a"], key=operator.methodcaller("lower")))
try: raise ValueError("boom")
except ValueError as e: print(traceback.format_exception_only(type(e), e), traceback.format_exception_only(e))
u = uuid.UUID("12345678-1234-5678-1234-567812345678"); print(u, u.hex, u.int, repr(u), u.version, uuid.uuid5(uuid.NAMESPACE_DNS, "python.org"), uuid.uuid3(uuid.NAMESPACE_DNS, "python.org"), len(str(uuid.uuid4())), uuid.uuid4().version, uuid.uuid4() != uuid.uuid4())
print([colorsys.hsv_to_rgb(h / 7, 0.8, 0.9) for h in range(8)], colorsys.rgb_to_hsv(0.2, 0.4, 0.1), colorsys.rgb_to_hls(0.2, 0.4, 0.9), colorsys.hls_to_rgb(0.3, 0.6, 0.7), colorsys.rgb_to_hsv(.5, .5, .5))
F = Fraction
print(F(6, -4), F("0.375"), F("3/9"), F(0.5), F(" -1.5e2 "), F(1, 3) + 1, 1 - F(1, 3), F(1, 3) * 0.5, F(7, 2) // 1, F(7, 2) % 1, F(2, 3) ** -2, abs(F(-1, 2)), float(F(1, 3)), int(F(-7, 2)), round(F(5, 2)), round(F(10, 3), 2), F(1, 2) == 0.5, F(1, 3) < F(1, 2), sorted([F(1, 2), F(1, 3)]), repr(F(3)), hash(F(1, 3)) , hash(F(1, 2)) == hash(0.5), F(355, 113).limit_denominator(50), sum([F(1, k) for k in range(1, 6)]), F(3.14159).limit_denominator(1000), bool(F(0)), -F(1, 2), 2 ** F(3), 4 ** F(1, 2), F(1, 2).as_integer_ratio(), max(F(1, 2), F(2, 3)))
try: F(1, 0)
except ZeroDivisionError as e: print(e)
try: F("abc")
except ValueError as e: print(e)
A = array("i", [3, 1, 2]); A.append(9); A.extend([4]); A[0] = 7
print(A, A.tolist(), A[1:3], len(A), sum(A), A.itemsize, A.typecode, np.array(A).dtype, 9 in A, array("d"), array("d", [1, 2.5]).tobytes().hex(), A.index(2), A == array("i", [7, 1, 2, 9, 4]), array("B", b"ab"), np.asarray(array("f", [0.1])).dtype, max(A), A.pop(), list(reversed(A)))
c = configparser.ConfigParser(inline_comment_prefixes=("#", ";")); c.optionxform = str
c.read_string("[Main]\nKey = 5 ; five\nList = a,\n  b,\n  c\nurl = http://x#y\n")
print(c["Main"]["Key"], repr(c["Main"]["List"]), c.getint("Main", "Key"), list(c["Main"]), c["Main"]["url"], c.remove_option("Main", "url"), c.has_option("Main", "url"))

for seed in ("kjit", 2.5, b"ab", -7):
    print(random.Random(seed).random(), random.Random(seed).randint(1, 100))
try:
    array("i", ["x"])
except TypeError as e:
    print("TypeError", e)
