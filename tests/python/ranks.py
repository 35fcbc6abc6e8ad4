"""What ranks of test_groups.py share, some of them processes of their own."""
import socket

import numpy as np
from kjit import cuda, float32


@cuda.jit
def heat(u, v):
    i = cuda.grid(1)
    if 0 < i < u.shape[0] - 1:
        v[i] = u[i] + float32(0.1) * (u[i - 1] + u[i + 1] - float32(2) * u[i])


@cuda.jit
def remainders(x, n):
    i = cuda.grid(1)
    if i < x.shape[0]:
        cuda.atomic.add(n, x[i] % 5, 1)


@cuda.jit
def scaled(u, v, factor):
    i = cuda.grid(1)
    if 0 < i < u.shape[0] - 1:
        v[i] = factor * (u[i - 1] + u[i + 1])


def work():
    u = np.random.default_rng(1).normal(size=1001).astype(np.float32)
    v, x, n = u.copy(), np.arange(1000, dtype=np.int32), np.zeros(5, np.int32)
    return u, v, x, n


def steps(u, v):
    for _ in range(7):
        heat[8, 128](u, v)
        u, v = v, u
    return u, v


def alone():
    u, v, x, n = work()
    remainders[8, 128](x, n)
    return *steps(u, v), n


def together(group):
    u, v, x, n = work()
    with group:
        group.hold(u, v)
        u, v = steps(u, v)
        remainders[8, 128](x, n)
        rank = group.rank
    return u, v, n if rank == 0 else np.full(5, 200, np.int32)


def compare(group):
    assert all((one == other).all() for one, other in zip(alone(), together(group)))


class Sockets:
    """A transport of one socket between two ranks."""

    def __init__(self, number):
        self.socket, self.sent, self.awaited = socket.socket(fileno=number), [], []

    def send(self, to, view):
        self.sent.append(bytes(view))

    def receive(self, origin, view):
        self.awaited.append(view)

    def finish(self):
        try:
            for one in self.sent:
                self.socket.sendall(one)
            for view in self.awaited:
                while len(view):
                    count = self.socket.recv_into(view)
                    if not count:
                        raise ConnectionResetError
                    view = view[count:]
        except OSError:
            raise RuntimeError("the other rank is gone") from None
        self.sent, self.awaited = [], []

    def fail(self, message):
        self.socket.close()

