"""The constants of run_constants.k as Python computes them: from its own text."""
import pathlib
import sys

import numpy as np

text = pathlib.Path(__file__).with_suffix(".k").read_text().split("\n\n\n@example", 1)[0]
made = {"__name__": "run_constants"}
arguments, sys.argv = sys.argv, ["run_constants.k"]
sys.modules["run_constants"] = type(sys)("run_constants")
exec(text.replace("from numba import cuda\n", ""), made)
sys.argv = arguments


def _placed(size, **at):
    out = np.zeros(size)
    for place, values in at.items():
        values = np.ravel(values)
        out[int(place[1:]):][:values.size] = values
    return {"out": out}


def arrays():
    codes = made["CODES"].astype(int)
    return _placed(100, _0=made["GRID"], _10=made["BITS"], _30=made["WEIGHTS"],
                   _40=made["FILLED"], _50=made["TEXT"], _60=codes[65:69] * 10 + codes[97:101])


def lists():
    return _placed(40, _0=made["SQUARES"], _10=made["PASCAL"], _20=made["SORTED"],
                   _30=made["APPLIED"])


def dictionaries():
    ids = made["IDS"]
    return {"out": np.array([ids["a"], ids["b"], ids["c"], ids["d"], made["EPS"][1],
                             made["MASS"][0], 1, 1.5, 2, made["PRODUCT"], 64, 27, len(ids)])}


def dtypes_by_name():
    return {"out": np.full(2, np.float32(0.1), np.float64)}


def objects():
    return {"out": np.array([made["MOVED"].y, made["OIL"].rest, made["OIL"].stiff,
                             made["RESTS"][1]])}


def table():
    return {"out": made["CRC"]}
