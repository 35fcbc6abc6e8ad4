"""Kernels under decorators of other libraries and in registries."""
import functools, inspect, os, pathlib, re, textwrap, uuid
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
import numpy as np
import attr
import pydantic
from pydantic import BaseModel, Field, validator
from numba import cuda, float32, float64, int32, int64, boolean
from numba.types import UniTuple, Tuple
import nvtx
import ray
import wandb
import hydra
from omegaconf import DictConfig, OmegaConf

HERE = pathlib.Path(__file__).resolve().parent
REGISTRY = {}

def register(name, **meta):
    def wrap(f):
        REGISTRY[name] = (f, meta)
        return f
    return wrap

class Params(BaseModel):
    threads: int = Field(256, ge=32, le=1024)
    alpha: float = 0.5
    @validator("threads")
    def _pow2(cls, v):
        assert v & (v - 1) == 0
        return v

@attr.s(auto_attribs=True, slots=True)
class Grid:
    nx: int = 32
    ny: int = attr.ib(default=32, validator=attr.validators.instance_of(int))

DEFAULT = Params()
NT = 256
DIRS = ((1, 0), (-1, 0), (0, 1), (0, -1))
D2Q9 = np.array([(x, y) for x in (0, 1, -1) for y in (0, 1, -1)], dtype=np.int32)
WEIGHTS = np.array([4/9] + [1/9] * 4 + [1/36] * 4)
OPP = tuple((k + 2) % 4 for k in range(4))
USE64 = bool(int(os.environ.get("USE64", "0")))
REAL = float64 if USE64 else float32
sig = [(REAL[:, ::1], REAL[:, ::1], REAL)]

@register("diffuse", flops=5)
@cuda.jit(sig, fastmath=False, max_registers=64)
def diffuse(u, v, alpha):
    i, j = cuda.grid(2)
    n, m = u.shape
    if 0 < i < n - 1 and 0 < j < m - 1:
        s = REAL(0)
        for d in DIRS:
            s += u[i + d[0], j + d[1]]
        v[i, j] = u[i, j] + alpha * (s - 4 * u[i, j])

@nvtx.annotate("lbm", color="blue")
@cuda.jit
def lbm(f, g, omega):
    x, y = cuda.grid(2)
    q, nx, ny = f.shape
    if x >= nx or y >= ny: return
    rho = 0.0
    ux = 0.0; uy = 0.0
    for k in range(9):
        v = f[k, x, y]
        rho += v
        ux += v * D2Q9[k, 0]
        uy += v * D2Q9[k, 1]
    ux /= rho; uy /= rho
    usq = ux * ux + uy * uy
    for k in range(9):
        cu = D2Q9[k, 0] * ux + D2Q9[k, 1] * uy
        eq = WEIGHTS[k] * rho * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * usq)
        g[k, (x + D2Q9[k, 0]) % nx, (y + D2Q9[k, 1]) % ny] = f[k, x, y] - omega * (f[k, x, y] - eq)

@functools.wraps(diffuse)
def launch(u, v, alpha=DEFAULT.alpha): ...

@cuda.jit("Tuple((int64, float64))(float64[:], int64)", device=True)
def argmin(a, n):
    best, at = a[0], 0
    for k in range(1, n):
        if a[k] < best: best, at = a[k], k
    return at, best

@register(name=f"nearest-{uuid.uuid4()}")
@cuda.jit
def nearest(d, idx, dist):
    "closest per row"
    i = cuda.grid(1)
    if i < d.shape[0]:
        idx[i], dist[i] = argmin(d[i], d.shape[1])

@cuda.jit
def flags(mask, vals, count):
    i = cuda.grid(1)
    stride = cuda.gridsize(1)
    n = 0
    while i < mask.size:
        if mask[i] and not (vals[i] & 1):
            n += 1
        elif vals[i] in (3, 5, 7):
            n += 2
        i += stride
    cuda.atomic.add(count, 0, n)

@ray.remote(num_gpus=1)
class Worker:
    def __init__(self, cfg: DictConfig):
        self.cfg = OmegaConf.to_container(cfg, resolve=True)
        wandb.init(project="x", config=self.cfg)
    def go(self):
        with ThreadPoolExecutor(max_workers=4) as ex:
            futs = {ex.submit(lambda: None): k for k in range(4)}
            for f in as_completed(futs):
                with suppress(KeyError):
                    del futs[f]
        src = inspect.getsource(diffuse.py_func)
        return re.findall(r"(?P<name>\w+)\s*=", textwrap.dedent(src))

@hydra.main(version_base=None, config_path=str(HERE / "conf"), config_name="config")
def main(cfg: DictConfig) -> None:
    lambda_ = lambda *a, k=1, **kw: (a, k, kw)
    print(*(lambda_(x) for x in range(3)), sep="\n", file=open(os.devnull, "w"))
    try:
        raise ValueError("x") from None
    except (ValueError, TypeError) as e:
        print(f"{e!r:>30}")
    else:
        pass
    finally:
        del lambda_

if __name__ == "__main__":
    main()
