#!/usr/bin/env python3
"""Runs the tests of the Python package by pytest, and ends in a line `N passed, N failed`.

    run.py [ARGUMENTS OF PYTEST...]

PYTHONPATH names the folder that the package was built in, KJIT_DEVICE the device.
"""
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent


class Tally:
    """Counts tests as they end."""

    def __init__(self):
        self.passed, self.failed, self.skipped = 0, 0, 0

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed
        self.failed += report.failed
        self.skipped += report.skipped

    def pytest_collectreport(self, report):
        self.failed += report.failed


def main():
    tally = Tally()
    words = sys.argv[1:] or [str(HERE)]
    pytest.main(["-q", "-p", "no:cacheprovider", "--tb=short", "--no-header", *words], plugins=[tally])
    if tally.skipped:
        print(f"{tally.skipped} skipped: they need what this machine has not")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
