"""What notebooks draw: remarks beside the source, findings with both lines."""
import inspect

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


def test_kernels_and_launches_say_what_they_are():
    loaded = kjit.compile("@cuda.jit\ndef one(a, n):\n    a[cuda.grid(1)] = n\n").one
    assert (repr(loaded), loaded.__name__) == ("<kjit kernel one>", "one")
    assert str(inspect.signature(loaded)) == "(a, n, /)"
    assert repr(loaded[2, (8, 4)]) == "<kjit launch one[(2, 1, 1), (8, 4, 1)]>"
    assert repr(thirds.forall(10)) == "<kjit launch thirds.forall(10)>"


async def waits(x):
    x[0] = 1


def test_what_no_kernel_is_made_of():
    for thing in (len, int, Place, 3.0):
        with pytest.raises(TypeError, match="functions that are written in Python|is no signature"):
            cuda.jit(thing)
    with pytest.raises(TypeError, match="cuda.jit of <class 'int'>: it takes functions that are written in Python"):
        cuda.jit(int)
    with pytest.raises(kjit.TypingError, match="a kernel cannot be 'async'"):
        cuda.jit(waits)[1, 1](np.zeros(1))
    with pytest.raises(TypeError, match="no option 'fastmat'; did you mean 'fastmath'?"):
        cuda.jit(fastmat=True)
    with pytest.raises(kjit.Error, match=r"a kernel returns nothing, and the signature says float32; write void\(\.\.\.\)"):
        cuda.jit("float32(float32[:])")(lambda x: None)


def test_what_kernels_cannot_read_has_its_place():
    thing = object()

    @cuda.jit
    def reads(x):
        x[0] = 1
        x[1] = thing

    big = np.zeros(300000)

    @cuda.jit
    def reads_much(x):
        x[0] = big[0]

    with pytest.raises(TypeError, match=r"test_shown\.py:\d+: the kernel reads big, an array of 2343 KB: .* pass it as"):
        reads_much[1, 1](np.zeros(2))
    line = reads.py_func.__code__.co_firstlineno + 3
    with pytest.raises(TypeError, match=rf"test_shown\.py:{line}: the kernel reads thing, a object: kernels read numbers"):
        reads[1, 1](np.zeros(2))
    with pytest.raises(TypeError, match=r"source cannot be read.*; python -m kjit keeps the texts that exec\(\) is given"):
        names = {"cuda": cuda}
        exec("@cuda.jit\ndef k(x):\n    x[0] = 1\n", names)
        names["k"][1, 1](np.zeros(1))


def test_what_the_host_calls_has_a_doc_string():
    called = [name for name in dir(cuda) if name[0] != "_" and callable(getattr(cuda, name))]
    assert [name for name in called if not getattr(cuda, name).__doc__] == []
