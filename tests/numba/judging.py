"""What kjit did for the test that is running, and how far the test judged it.

Launches are those that libkjit counts; assertions are counted from the first of them on.
"""
import functools
import unittest

import numpy as np

from kjit import device, errors

UNCOUNTED = ("assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs")


class Progress:
    """Of one test."""
    before = judged = 0

    def begin(self):
        self.before, self.judged = self.counted(), 0

    @staticmethod
    def counted():
        """Launches of all devices that are open, those that were refused left out."""
        return sum(context.counters()["launches"] for context in device._opened.values())

    @property
    def launches(self):
        """Some tests close the device, and its counter with it."""
        now = self.counted()
        return now - self.before if now >= self.before else now

    def assertion(self):
        self.judged += self.launches > 0


progress = Progress()


def counted(assertion):
    @functools.wraps(assertion)
    def judge(*args, **words):
        result = assertion(*args, **words)
        progress.assertion()
        return result

    return judge


def leave_words_open():
    """assertRaisesRegex takes kjit's exceptions of the class that it names whatever their words: these are kjit's own."""
    context = unittest.case._AssertRaisesContext
    leave = context.__exit__

    def leave_any(self, kind, error, trace):
        if isinstance(error, errors.Error):
            self.expected_regex = None
        return leave(self, kind, error, trace)

    context.__exit__ = leave_any


def count_assertions():
    for name in dir(unittest.TestCase):
        if name.startswith("assert") and name not in UNCOUNTED:
            setattr(unittest.TestCase, name, counted(getattr(unittest.TestCase, name)))
    for name in dir(np.testing):
        if name.startswith("assert_"):
            setattr(np.testing, name, counted(getattr(np.testing, name)))
    leave_words_open()
