import multiprocessing as mp
import os
from concurrent.futures import ThreadPoolExecutor, ProcessPoolExecutor
import numpy as np
from numba import cuda


@cuda.jit
def square(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * x[i]


def work(k):
    x = np.arange(k, k + 100, dtype=np.float64)
    y = np.zeros_like(x)
    square[1, 128](x, y)
    return k, float(y.sum()), type(square).__module__.split(".")[0]


def put(q, k):
    q.put(work(k))


if __name__ == "__main__":
    expect = {k: float((np.arange(k, k + 100.0) ** 2).sum()) for k in range(4)}
    with ThreadPoolExecutor(4) as pool:
        for k, s, _ in pool.map(work, range(4)):
            assert s == expect[k]
    ctx = mp.get_context("spawn")
    with ctx.Pool(2) as pool:
        got = pool.map(work, range(4))
    assert all(s == expect[k] for k, s, _ in got)
    here = type(square).__module__.split(".")[0]
    assert {m for _, _, m in got} == {here}, (got, here)
    q = ctx.Queue()
    ps = [ctx.Process(target=put, args=(q, k)) for k in range(2)]
    [p.start() for p in ps]
    for _ in ps:
        k, s, _ = q.get(timeout=100)
        assert s == expect[k]
    [p.join() for p in ps]
    assert all(p.exitcode == 0 for p in ps)
    with ProcessPoolExecutor(2, mp_context=mp.get_context("forkserver")) as ex:
        assert dict((k, s) for k, s, _ in ex.map(work, range(2))) == {0: expect[0], 1: expect[1]}
    print("ok")
