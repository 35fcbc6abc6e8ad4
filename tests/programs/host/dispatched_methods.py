import shlex, re, secrets, unittest, configparser
from functools import singledispatchmethod
print(shlex.split("a 'b c' \"d \\\" e\" f\\ g '' x=\"1 2\"y"), shlex.quote("a b'c"), shlex.join(["x", "y z", ""]))
print(shlex.split("a # b\nc", comments=True), shlex.quote("ok-1"), shlex.quote(""))
for bad in ("a 'b", "x\\"):
    try:
        shlex.split(bad)
    except ValueError as e:
        print(e)
for p, t in [(r"(a)(b)", "ab"), (r"((ab))", "ab"), (r"(a(b))", "ab"), (r"(?P<x>a)|(?P<y>b)", "b"), (r"(?:(a)|(b))*", "ba"), (r"(a)()", "a"), (r"(a())", "a"), ("a", "a")]:
    m = re.match(p, t)
    print(p, m.lastindex, m.lastgroup)
class F:
    """F doc"""
    @singledispatchmethod
    def f(self, x, y=1):
        """doc of f"""
        return f"any {x} {y}"
    @f.register
    def _(self, x: int, y=2):
        return f"int {x} {y}"
    @f.register(str)
    def _(self, x, y=3):
        return f"str {x} {y}"
    @f.register(list)
    @f.register(tuple)
    def _seq(self, x):
        return f"seq {len(x)}"
o = F()
print(o.f(1), o.f(True), o.f("a", 9), o.f([1]), o.f((1, 2)), o.f(2.5, y=0), o.f.__name__, o.f.__doc__)
cp = configparser.ConfigParser({"a": "1"})
cp.read_string("[DEFAULT]\nb=2\n[s]\nc=3\n")
print(cp.defaults(), cp["s"]["b"])
class T(unittest.TestCase):
    log = []
    @classmethod
    def setUpClass(cls):
        cls.log.append("up")
    @classmethod
    def tearDownClass(cls):
        cls.log.append("down")
    def test_a(self):
        self.log.append("a")
    def test_b(self):
        self.assertEqual(1, 2)
r = unittest.TestResult()
s = unittest.defaultTestLoader.loadTestsFromTestCase(T)
print(s.countTestCases(), s.run(r) is r, r.testsRun, len(r.failures), T.log, r.wasSuccessful())
print(len(secrets.token_hex(5)), len(secrets.token_bytes(3)), 0 <= secrets.randbelow(4) < 4, secrets.choice([7]), secrets.compare_digest("a", "a"), isinstance(secrets.token_urlsafe(), str))
