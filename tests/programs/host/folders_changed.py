# The folder that programs work in, and the name that NumPy gives an error of a cast.
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
import numpy as np
from numba import cuda


@contextmanager
def workdir(path):
    before = os.getcwd()
    os.chdir(path)
    try:
        yield Path.cwd()
    finally:
        os.chdir(before)


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


begin = os.getcwd()
with tempfile.TemporaryDirectory() as folder:
    with workdir(folder) as here:
        print(os.path.realpath(here) == os.path.realpath(folder))
        x = np.arange(4.0)
        double[1, 4](x)
        np.save("x.npy", x)
        os.mkdir("inner")
        os.chdir(Path("inner"))
        print(np.load("../x.npy"), sorted(os.listdir("..")), os.listdir() == [])
    print(os.getcwd() == begin, sorted(os.listdir(folder)))
try:
    os.chdir("there/is/none")
except FileNotFoundError as e:
    print(e, e.errno, e.filename)
x = np.arange(3)
try:
    x += 0.5
except TypeError as e:
    print(type(e).__name__, e)
