"""The kernels of peers.py as Warp has them, which reads its sources from files."""
import warp as wp


@wp.kernel
def add(a: wp.array(dtype=wp.float32), b: wp.array(dtype=wp.float32), c: wp.array(dtype=wp.float32)):
    i = wp.tid()
    if i < c.shape[0]:
        c[i] = a[i] + b[i]


@wp.kernel
def histogram(x: wp.array(dtype=wp.float32), low: wp.float32, high: wp.float32, counts: wp.array(dtype=wp.int32)):
    i = wp.tid()
    width = wp.float64(high - low) / wp.float64(counts.shape[0])
    bin = wp.floor(wp.float64(x[i] - low) / width)
    if wp.float64(0.0) <= bin and bin < wp.float64(counts.shape[0]):
        wp.atomic_add(counts, wp.int32(bin), 1)
