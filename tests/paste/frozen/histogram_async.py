import asyncio
import contextlib
from collections import defaultdict, namedtuple, OrderedDict
import numpy as np
import numba
from numba import cuda, int32, uint8

Shape = namedtuple('Shape', ['bins', 'lo', 'hi'])
N_BINS, LOW, HIGH = 256, 0, 256
stats = defaultdict(list)


@contextlib.contextmanager
def timed(name):
    start, end = cuda.event(), cuda.event()
    start.record()
    try:
        yield start
    except Exception as exc:
        stats[name].append(exc)
        raise
    else:
        end.record()
    finally:
        end.synchronize()
        stats[name] += [cuda.event_elapsed_time(start, end)]


@cuda.jit
def hist_shared(image, hist):
    local = cuda.shared.array(N_BINS, int32)
    t = cuda.threadIdx.x
    for b in range(t, N_BINS, cuda.blockDim.x):
        local[b] = 0
    cuda.syncthreads()
    start = cuda.grid(1)
    for i in range(start, image.size, cuda.gridsize(1)):
        cuda.atomic.add(local, image[i], 1)
    cuda.syncthreads()
    for b in range(t, N_BINS, cuda.blockDim.x):
        cuda.atomic.add(hist, b, local[b])


@cuda.jit
def equalise(image, cdf, out):
    i = cuda.grid(1)
    if i < image.size:
        out[i] = uint8((HIGH - 1) * cdf[image[i]])


async def produce(queue: asyncio.Queue, n):
    for i in range(n):
        await queue.put(np.random.randint(0, 256, 1 << 16).astype(np.uint8))
        await asyncio.sleep(0.0)
    await queue.put(None)


async def consume(queue):
    async with contextlib.AsyncExitStack() as stack:
        while (image := await queue.get()) is not None:
            hist = np.zeros(N_BINS, np.int32)
            with timed("hist"):
                hist_shared[64, 256](image, hist)
            assert hist.sum() == image.size
        results = [x async for x in results_of(queue) if x]
    return results


async def results_of(q):
    while not q.empty():
        yield await q.get()


async def main():
    queue = asyncio.Queue(maxsize=4)
    await asyncio.gather(produce(queue, 10), consume(queue))


if __name__ == "__main__":
    asyncio.run(main())
