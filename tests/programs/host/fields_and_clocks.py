"""Attributes in format fields, times of day, calendars, patterns of names."""
import calendar, datetime, fnmatch
import numpy as np
class P:
    def __init__(self, x, y): self.x, self.y = x, y
p = P(1.5, [1, {"k": 7}])
print("{0.x:.2f} {0.y[0]} {p.y[1][k]} {a.real}".format(p, p=p, a=3 + 4j), "{.x!r:>6}".format(p), "{d[a].shape}".format(d={"a": np.zeros((2, 3))}), "{0.__class__.__name__}".format(p))
try: "{0.z}".format(p)
except AttributeError as e: print(e)
try: "{0[0]x}".format([1])
except ValueError as e: print(e)
t = datetime.datetime(2024, 3, 5, 6, 7, 8); print(t.time(), repr(t.time()), datetime.time(12, 30), datetime.time(1) < datetime.time(2), datetime.datetime.combine(datetime.date(2024, 1, 2), datetime.time(3, 4)), datetime.time(23, 59).strftime("%H-%M"), t.time().replace(hour=1), datetime.time(1, 2, 3, 4).isoformat(), t.time().minute, datetime.datetime.now().year > 2000)
print(calendar.isleap(2024), calendar.month_name[2], calendar.monthrange(2024, 2), calendar.monthrange(2023, 9), calendar.weekday(2024, 5, 6), calendar.day_abbr[0], calendar.leapdays(2000, 2021))
print(fnmatch.fnmatch("a.py", "*.py"), fnmatch.filter(["a1", "b2", "a3"], "a?"), fnmatch.fnmatch("x", "[!x]"))
print(issubclass(bool, int), issubclass(int, float), issubclass(list, (tuple, list)), issubclass(str, object), issubclass(int, bool))
print(np.fromstring("1 2 3", sep=" "), np.fromstring("1, 2,3", dtype=int, sep=","), np.fromstring("1;2", sep=";", count=1))
match [1, 2]:
    case [a, b]: print(a + b)
for day in (datetime.date(2024, 4, 1), datetime.date(2021, 1, 3), datetime.date(2020, 12, 31), datetime.datetime(2027, 1, 1, 5)):
    print(day.isocalendar(), day.isocalendar()[1], tuple(day.isocalendar()), day.isocalendar() == (2024, 14, 1))
year, week, weekday = datetime.date(2018, 12, 31).isocalendar()
print(year, week, weekday)
