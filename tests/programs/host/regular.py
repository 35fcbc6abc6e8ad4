"""re: patterns, their matches, substitutions."""
import re


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return type(e).__name__


TEXT = """It was the best of times, it was the worst of times,
it was the age of wisdom, it was the age of foolishness."""
print(re.findall(r"[a-z]+", TEXT.lower())[:6], len(re.findall(r"\w+", TEXT)))
print(re.sub(r"\bage\b", "epoch", TEXT).splitlines()[1], re.subn("was", "is", TEXT, count=2)[1])
m = re.match(r"(?P<first>\w+) (\w+)", TEXT)
print(m.group("first"), m.groups(), m.groupdict(), m.span(2), m[0], m.start(), m.end(), m)
print(bool(re.search("xyz", TEXT)), re.search("w.{3}", TEXT), re.fullmatch(r"\d+", "12a"))
rows = [
    (r"a*", "baac"), (r"a*?b", "aaab"), (r"(a|ab)(c|bcd)(d*)", "abcd"), (r"^\s*$", "  "),
    (r"(\d+)-(\d+)?", "12- 3-4"), (r"[^,;]+", "a,b;c"), (r"x{2,3}", "xxxxx"), (r"x{2}", "xxxxx"),
    (r"(?:ab)+", "ababx"), (r"(ab)+", "ababx"), (r"a.c", "a\nc abc"), (r"(?i)HELLO", "hello Hello"),
    (r"\bfoo\b", "foo food foo"), (r"(?=b)b|a", "ab"), (r"a(?!b)", "abac"), (r"(.)\1", "aabbc"),
    (r"[\w.+-]+@[\w-]+\.\w+", "mail a.b@c.de, x@y.z"), (r"-?\d+\.?\d*(?:[eE][+-]?\d+)?", "1 -2.5 3e-4 .5"),
    (r"", "ab"), (r"|a", "aba"), (r"(a*)(b*)", "aabbab"), (r"[]a]", "]a"), (r"[a-c-]", "b-"),
    (r"\$\{(\w+)\}", "${x} and ${y}"), (r"(a)|(b)", "ab"), (r"(?P<q>['\"]).*?(?P=q)", "'a' \"b'\""),
    (r"\x41\t", "A\t"), (r"x*y?", "xxyx"), (r"^a|b$", "ab\nab"), (r"(?m)^a|b$", "ab\nab"), (r"(?s)a.b", "a\nb"),
    (r"((a)|b)*", "abb"), (r"(a?)*?b", "aab"), (r"a{,2}", "aaa"), (r"a{b", "a{b"), (r"\Aab\Z", "ab"),
]
for pattern, text in rows:
    print(pattern, re.findall(pattern, text), re.sub(pattern, "<\\g<0>>", text), re.split(pattern, text),
          [x.span() for x in re.finditer(pattern, text)])
print(re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub("a", lambda m: m.group().upper(), "banana", count=2))
print(re.split(r"[,;]\s*", "a, b;c,d", maxsplit=2), re.split(r"(-)", "1-2-3"), re.escape("a.b*c d"))
p = re.compile(r"(\d+)(?:px|em)", re.IGNORECASE)
print(p.search("width: 12PX").group(1), p.findall("1px 2em 3pt"), p.pattern, p.groups, p.match("x1px", 1).span())
print(re.compile(r"""
    (\d+)   # digits
    \s* kg  # unit
""", re.VERBOSE).findall("3 kg 4kg"))
for wrong in ("(", ")", "[a", "*a", "a**", "(?P<n>a)(?P=m)", "\\"):
    print(tried(re.compile, wrong), end=" ")
print(tried(re.match, "a", 3), re.match("(a)(b)?", "a").groups("none"), re.match("(a)(b)?", "a").group(1, 2))
