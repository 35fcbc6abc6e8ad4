"""Prices of options, after Black and Scholes; a Monte Carlo price beside it."""
import math
import time
import pandas as pd
from numba import cuda, double, jit, vectorize
from concurrent.futures import ThreadPoolExecutor as Pool
import numpy as np

RISKFREE = 0.02
VOLATILITY = 0.30

A1 = 0.31938153
A2 = -0.356563782
A3 = 1.781477937
A4 = -1.821255978
A5 = 1.330274429
RSQRT2PI = 0.39894228040143267793994605993438


def cnd(d):
    K = 1.0 / (1.0 + 0.2316419 * np.abs(d))
    ret_val = (RSQRT2PI * np.exp(-0.5 * d * d) *
               (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5))))))
    return np.where(d > 0, 1.0 - ret_val, ret_val)


@vectorize(['float64(float64)'], target='cuda')
def ufunc(x):
    return x + 1


@cuda.jit(double(double), device=True, inline=True)
def cnd_cuda(d):
    K = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    ret_val = (RSQRT2PI * math.exp(-0.5 * d * d) *
               (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5))))))
    if d > 0:
        ret_val = 1.0 - ret_val
    return ret_val


@cuda.jit('void(double[:], double[:], double[:], double[:], double[:], double, double)')
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
def payoffs(paths, strike, out):
    i = cuda.grid(1)
    if i < paths.shape[0]:
        out[i] = max(paths[i, -1] - strike, 0.0) * math.exp(-RISKFREE)


def frame(results: dict[str, np.ndarray]) -> pd.DataFrame:
    table = pd.DataFrame({f"{name}_{'x' * 2}": r for name, r in results.items()})
    table["error"] = table.iloc[:, 0] - table.iloc[:, 1]
    return table[table.error > 0][["error"]]


def main():
    with Pool(max_workers=2) as pool, open("log", "w") as out:
        futures = [pool.submit(cnd, x) for x in (np.ones(3), np.zeros(3))]
        out.writelines(str(f.result()) for f in futures)


if __name__ == "__main__":
    main()
