"""logging, datetime, pprint, configparser, queue, threads, contextlib and time."""
import configparser
import logging
import queue
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from pprint import pformat, pprint


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s",
                    stream=sys.stdout)
log = logging.getLogger("a.b")
log.debug("no")
log.info("n=%d %s", 3, "x")
log.warning("careful")
logging.error("at the root %.2f", 1.5)
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("[{levelname:>8}] {message}", style="{"))
log.addHandler(handler)
log.propagate = False
log.setLevel("DEBUG")
log.debug("twice? %s", {"a": 1})
log.log(35, "between")
print(log.name, log.level, log.isEnabledFor(10), logging.getLogger("a.b") is log)

t = timedelta(days=1, hours=2, minutes=3.5)
print(t, repr(t), t.total_seconds(), -t, t * 2, t / 2, t > timedelta(1), timedelta(seconds=3661.5))
d = datetime(2024, 2, 28, 23, 30, 5, 123456)
print(d, repr(d), d + timedelta(hours=1), d - datetime(2024, 1, 1), d.isoformat(), d.date())
print(d.strftime("%Y-%m-%d %H:%M:%S.%f %j %a %b"), f"{d:%d/%m/%y}", d.weekday(), d.replace(year=2023, day=1))
print(date(2024, 3, 1) - date(2024, 2, 1), date(2024, 1, 31) + timedelta(1), date(2000, 1, 1).toordinal(), repr(date(2020, 5, 6)))
print(tried(date, 2023, 2, 29), datetime.fromisoformat("2020-01-02T03:04:05"), date.fromisoformat("2021-03-04") < date(2022, 1, 1))
print(time.strftime("%Y-%m-%d", time.gmtime(0)), tuple(time.gmtime(86400 * 365))[:6], time.gmtime(0).tm_year)

pprint({"b": [1, 2], "a": {"c": (1,), "d": "x" * 30}, "e": ["y" * 25, "z" * 25, "w" * 25]})
print(pformat(list(range(40)), width=30), pformat((1,)), pformat({"k": {1, 2}}))

cfg = configparser.ConfigParser()
cfg.read_string("[DEFAULT]\nbase = 2\n[grid]\nnx = 16\nPeriodic: yes\n; note\nname = %(base)s-x\n[s]\ntol = 1e-3\n")
print(cfg.sections(), cfg.getint("grid", "nx"), cfg["grid"].getboolean("periodic"), cfg["grid"]["name"])
print(cfg.getfloat("s", "tol"), cfg.get("s", "no", fallback="f"), tried(cfg.get, "s", "no"), tried(lambda: cfg["z"]))
print(dict(cfg["s"].items()), "grid" in cfg, cfg.has_option("grid", "nx"), tried(cfg.getboolean, "grid", "nx"))

with ThreadPoolExecutor(max_workers=2) as pool:
    print(list(pool.map(lambda x: x * x, range(4))))
    jobs = [pool.submit(pow, 2, n) for n in range(3)]
    print(sorted(job.result() for job in as_completed(jobs)))
    print(type(pool.submit(lambda: 1 / 0).exception()).__name__)
lock, total = threading.Lock(), []


def add(n, more=0):
    with lock:
        total.append(n + more)


threads = [threading.Thread(target=add, args=(i,), kwargs={"more": 1}) for i in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(total), lock.locked(), threading.current_thread().name)
q = queue.Queue()
for i in range(3):
    q.put(i)
print(q.qsize(), [q.get() for _ in range(3)], q.empty(), tried(q.get_nowait))
heap = queue.PriorityQueue()
for i in (3, 1, 2):
    heap.put((i, str(i)))
print([heap.get() for _ in range(3)])


class Guard:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("in", self.name)
        return self

    def __exit__(self, kind, value, trace):
        print("out", self.name, kind and kind.__name__)
        return self.name == "b"


with ExitStack() as stack:
    for name in "abc":
        stack.enter_context(Guard(name))
    stack.callback(print, "callback")
    raise ValueError("inside")
warnings.simplefilter("ignore")
warnings.warn("nothing of this")
print("end")
from multiprocessing import Pool, cpu_count
with Pool(2) as pool:
    print(pool.map(abs, [-1, 2]), pool.starmap(pow, [(2, 3), (3, 2)]), cpu_count() > 0)
    print(pool.apply_async(divmod, (7, 2)).get(), list(pool.imap(str, [1, 2])))
