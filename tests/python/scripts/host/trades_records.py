import numpy as np
import numba
from numba import cuda, from_dtype, float32

particle_dtype = np.dtype([("pos", np.float32, (3,)), ("vel", np.float32, (3,)), ("mass", np.float64), ("id", np.int32), ("alive", np.bool_)], align=True)
Particle = from_dtype(particle_dtype)
trade = np.dtype([("price", "f8"), ("qty", "i4"), ("side", "i1")])
nb_trade = numba.from_dtype(trade)


@cuda.jit
def advance(ps, dt):
    i = cuda.grid(1)
    if i < ps.size and ps[i].alive:
        p = ps[i]
        for k in range(3):
            p.pos[k] += p.vel[k] * dt
        ps[i]["mass"] = p["mass"] * 0.5
        if p.id % 3 == 0:
            ps[i].alive = False


@cuda.jit
def vwap(ts, out):
    tid = cuda.threadIdx.x
    sm = cuda.shared.array(64, dtype=nb_trade)
    if tid < ts.shape[0]:
        sm[tid] = ts[tid]
    cuda.syncthreads()
    if tid == 0:
        num = 0.0
        den = 0
        for k in range(ts.shape[0]):
            num += sm[k].price * sm[k].qty * sm[k].side
            den += sm[k].qty
        out[0] = num / den
        loc = cuda.local.array(2, nb_trade)
        loc[0].price = 3.5
        loc[0].qty = 4
        loc[1] = loc[0]
        out[1] = loc[1].price + loc[1].qty


@cuda.jit
def bump(rec):
    rec.price += 1.0
    rec["qty"] = 9


n = 37
ps = np.zeros(n, particle_dtype)
ps["pos"] = np.random.rand(n, 3)
ps["vel"] = 1
ps["mass"] = 4
ps["id"] = np.arange(n)
ps["alive"] = np.arange(n) % 2 == 0
old = ps.copy()
advance[2, 32](ps, np.float32(0.25))
al = old["alive"]
np.testing.assert_allclose(ps["pos"][al], old["pos"][al] + 0.25, rtol=1e-6)
np.testing.assert_array_equal(ps["pos"][~al], old["pos"][~al])
assert (ps["mass"][al] == 2).all()
np.testing.assert_array_equal(ps["alive"], al & (np.arange(n) % 3 != 0))
ra = np.recarray(20, dtype=trade)
ra.price, ra.qty, ra.side = np.arange(20) + .5, 3, 1
ra.side[::2] = -1
out = np.zeros(2)
vwap[1, 64](ra, out)
np.testing.assert_allclose(out, [(ra.price * ra.qty * ra.side).sum() / ra.qty.sum(), 7.5])
d = cuda.to_device(ra)
assert d.dtype == trade
bump[1, 1](d[3])
h = d.copy_to_host()
assert h[3]["price"] == 4.5 and h["qty"][3] == 9, h[3]
x = np.array([(1.0, 2, 3)], dtype=trade)
bump[1, 1](x[0])
assert x["price"][0] == 2.0
print("ok")
