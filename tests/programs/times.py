import numpy as np

NAT = -2**63


def _dates(values, unit):
    return np.array(values, dtype=f"M8[{unit}]")


def _spans(values, unit):
    return np.array(values, dtype="i8").view(f"m8[{unit}]")


def sums():
    a = _dates(["2001-01-01", "1969-12-31", "NaT", "1700-02-28", "2262-04-10", "1900-03-01"], "ns")
    b = _dates(["2000-02-29"] * 3 + ["NaT", "1970-01-01", "1890-12-31"], "D")
    d = _spans([1, -1, 5, NAT, 0, 86399], "s")
    i = _spans(range(6), "D")
    one = np.timedelta64(1, "D")
    return {"diff": a - b, "moved": np.array([a + d, d + a, a - d, a + one]),
            "days": np.array([b - np.datetime64("2000-01-01"), one - i, i - i + 8])}


def comparisons():
    a = _dates(["2001-01-01", "NaT", "1969-12-31", "1970-01-01"], "ms")
    b = _dates(["2001-01-01", "NaT", "1970-01-01", "1969-12-31"], "D")
    d, e = _spans([60000, -1, NAT, 59999], "ms"), _spans([1, 0, 1, 1], "m")
    both = [f(x, y) for x, y in ((a, b), (d, e))
            for f in (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)]
    yes, no = np.full(4, True), np.full(4, False)
    return {"out": np.array([*both, np.isnat(a), np.isnat(d), a > np.datetime64("1969-07-20T20:17:40"),
                             no, yes, no, a == a]).T}


def products():
    d, e = _spans([7, -7, 0, NAT, 1000000007, -1], "s"), _spans([2, 2, -3, 2, 0, NAT], "s")
    x, n = np.array([2.5, -0.5, np.nan, 1, 0, np.inf]), np.array([2, -2, 0, 3, 5, 7], np.int32)
    with np.errstate(all="ignore"):
        out = [d * n, n * d, d * x, d / n, d // n, d / x, -d, abs(d), d, d % e, d * 3]
        ratio = [d / e, d / np.timedelta64(1, "m")]
        whole = [d // e, d.view("i8"), d.view("i8") + 1]
    return {"out": np.array(out), "ratio": np.array(ratio), "whole": np.array(whole)}


def units():
    y = _dates(["1970", "1969", "2000", "1600", "1999", "2101"], "Y")
    mo = _dates(["1970-01", "1969-12", "2000-02", "1600-03", "NaT", "2100-02"], "M")
    h = np.arange(-3, 3)
    week = np.timedelta64(7, "D")
    return {
        "d": np.array([y.astype("M8[D]"), mo.astype("M8[D]"), y.astype("M8[D]") + 59,
                       mo.astype("M8[D]") - week]),
        "s": np.array([y.astype("M8[s]"), mo.astype("M8[s]") + _spans(h, "h"),
                       h.view("M8[h]").astype("M8[s]")]),
        "months": y.astype("M8[M]") - mo,
        "w": mo.astype("M8[W]") - h.view("M8[W]"),
        "n": np.array([_spans(h, "h").astype("m8[ns]"), _spans(h, "us").astype("m8[ns]") + 1000000,
                       h.view("M8[ns]") - np.datetime64("2000-01-01")]),
    }


def places():
    t = _dates(["2001-01-01T12", "2003-01-01T00", "NaT", "2002-01-01T01", "1999-01-01T00"], "h")
    i = np.arange(5)
    moments = _dates(["2000-06-01"] * 5, "h") + _spans(36 * i, "h")
    return {"out": np.array([t[::-1], _dates(["2003-01-01"] * 5, "h"), np.where(i % 2, moments, t),
                             moments + _spans(36 * i, "h")]),
            "longest": _spans(abs(36 * i - 36), "h"), "counts": np.array([t.view("i8"), i * 0 + 8])}


def in_records():
    a = np.zeros(3, [("at", "<M8[us]"), ("took", "<m8[ms]"), ("x", np.float32)])
    a["took"] = _spans(np.arange(3) * 86400000, "ms")
    a["at"] = np.datetime64("2020-02-28T23:59:59.999999") + a["took"]
    a["x"] = np.arange(3)
    return {"a": a}


def of_a_table():
    return {"out": np.array([1, -2, 20000]).view("M8[D]"), "spans": _spans([NAT, 0, 1], "ms")}


def of_listed_times():
    return {"out": np.array(["2020-01-01", "2021-05-01", "NaT", "2020-02-01", "2021-01-01T03", "2020-02-29", "NaT"],
                            "M8[h]"),
            "spans": np.array([1440, 90, 7 * 1440], "m8[m]")}
