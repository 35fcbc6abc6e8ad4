"""What notebooks draw: remarks beside the source, findings with both lines."""
import numpy as np
import pytest

import kjit
from kjit import cuda
from kjit.checked import Place
from kjit.shown import Finding, Findings, Remarks


@cuda.jit
def thirds(x, y):
    i = cuda.grid(1)
    if i < x.size and "<" != ">":
        x[i] /= 3  # becomes float64


def test_remarks():
    with pytest.raises(ValueError, match="not compiled yet"):
        cuda.jit(lambda x: None).remarks()
    said = thirds.remarks("void(float32[::1], float32[::1])")
    wide, = [it for it in said if "float64" in it.text]
    assert wide.file == __file__ and "/= 3" in open(__file__).read().splitlines()[wide.line - 1]
    drawn = said._repr_html_()
    assert "x[i] /= 3" in drawn and "float32 becomes float64 here" in drawn and "&lt;" in drawn and str(said) == said.text
    thirds[1, 4](np.ones(4, np.float32), np.ones(4, np.float32))
    assert [it.text for it in thirds.remarks()] == [it.text for it in said]
    assert Remarks("")._repr_html_() == "<p>no remarks</p>"


def test_findings():
    line = next(n for n, text in enumerate(open(__file__), 1) if "becomes float64\n" in text)
    at = Place(__file__, line, 9, line, 13, "store", (0, 0, 0), (1, 0, 0))
    finding = Finding("race", False, "thirds", "two threads write <one> element", None, "x[1]", 2, at,
                      at._replace(line=line - 1, what="load", thread=None), "text")
    drawn = finding._repr_html_()
    assert "<mark>x[i]</mark> /= 3" in drawn and "store by thread (1, 0, 0) of block (0, 0, 0)" in drawn
    assert "defect: race" in drawn and "&lt;one&gt;" in drawn and drawn.count("<table>") == 2
    assert Findings()._repr_html_() == "<p>no findings</p>" and isinstance(kjit.findings(), Findings)
