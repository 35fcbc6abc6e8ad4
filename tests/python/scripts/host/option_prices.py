import math
from enum import Enum, IntEnum
from typing import NamedTuple
from timeit import default_timer as timer
import numpy as np
from numba import cuda, njit, double


class Kind(IntEnum):
    CALL = 0
    PUT = 1


class Market(NamedTuple):
    rate: float
    vol: float
    years: float = 1.0


RISKFREE = 0.02
VOLATILITY = 0.30
A1, A2, A3, A4, A5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
RSQRT2PI = 0.39894228040143267793994605993438


@cuda.jit((double,), device=True, inline=True)
def cnd_cuda(d):
    K = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    ret_val = (RSQRT2PI * math.exp(-0.5 * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5))))))
    if d > 0:
        ret_val = 1.0 - ret_val
    return ret_val


@cuda.jit((double[:], double[:], double[:], double[:], double[:], double, double))
def black_scholes_cuda(callResult, putResult, S, X, T, R, V):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i >= S.shape[0]:
        return
    sqrtT = math.sqrt(T[i])
    d1 = (math.log(S[i] / X[i]) + (R + 0.5 * V * V) * T[i]) / (V * sqrtT)
    d2 = d1 - V * sqrtT
    cndd1 = cnd_cuda(d1)
    cndd2 = cnd_cuda(d2)
    expRT = math.exp((-1. * R) * T[i])
    callResult[i] = (S[i] * cndd1 - X[i] * expRT * cndd2)
    putResult[i] = (X[i] * expRT * (1.0 - cndd2) - S[i] * (1.0 - cndd1))


@cuda.jit
def exact(market, kind, S, X, out):
    i = cuda.grid(1)
    if i < S.size:
        sq = market.vol * math.sqrt(market.years)
        d1 = (math.log(S[i] / X[i]) + (market.rate + 0.5 * market.vol ** 2) * market.years) / sq
        d2 = d1 - sq
        n1, n2 = 0.5 * (1 + math.erf(d1 / math.sqrt(2.0))), 0.5 * (1 + math.erf(d2 / math.sqrt(2.0)))
        disc = math.exp(-market.rate * market.years)
        if kind == Kind.CALL:
            out[i] = S[i] * n1 - X[i] * disc * n2
        elif kind == Kind.PUT:
            out[i] = X[i] * disc * (1 - n2) - S[i] * (1 - n1)


def randfloat(rand_var, low, high):
    return (1.0 - rand_var) * low + rand_var * high


def main(n=500):
    np.random.seed(1)
    S = randfloat(np.random.random(n), 5.0, 30.0)
    X = randfloat(np.random.random(n), 1.0, 100.0)
    T = randfloat(np.random.random(n), 0.25, 10.0)
    call, put = np.zeros(n), -np.ones(n)
    blockdim = 64, 1
    griddim = int(math.ceil(float(n) / blockdim[0])), 1
    stream = cuda.stream()
    d_call = cuda.to_device(call, stream)
    d_put = cuda.to_device(put, stream)
    d_S, d_X, d_T = (cuda.to_device(v, stream) for v in (S, X, T))
    for _ in range(3):
        t = timer()
        black_scholes_cuda[griddim, blockdim, stream](d_call, d_put, d_S, d_X, d_T, RISKFREE, VOLATILITY)
        d_call.copy_to_host(call, stream)
        d_put.copy_to_host(put, stream)
        stream.synchronize()
    np.testing.assert_allclose(call - put, S - X * np.exp(-RISKFREE * T), rtol=1e-6, atol=1e-6)
    out, out2 = np.zeros(n), np.zeros(n)
    m = Market(RISKFREE, VOLATILITY)
    exact[griddim, blockdim](m, Kind.CALL, S, X, out)
    exact[griddim, blockdim](m, Kind.PUT, S, X, out2)
    np.testing.assert_allclose(out - out2, S - X * np.exp(-RISKFREE), rtol=1e-9, atol=1e-9)
    print("ok %.3f" % out.sum())


main()
