#!/usr/bin/env python3
"""Makes co2.npy from the data that statsmodels carries; README.md says where they come from.

    python3 -m venv venv && venv/bin/pip install statsmodels && venv/bin/python make.py
"""
import pathlib

import numpy
from statsmodels.datasets import co2

weeks = co2.load_pandas().data["co2"]
steps = numpy.diff(weeks.index.values) / numpy.timedelta64(1, "D")
assert (steps == 7).all(), "the weeks are no longer regular"

path = pathlib.Path(__file__).with_name("co2.npy")
numpy.save(path, weeks.to_numpy(numpy.float64))
print(f"{path.name}: {weeks.size} weeks from {weeks.index[0].date()}, {weeks.isna().sum()} missing")
