"""Ranks that share launches: kjit.open_group()."""
import atexit
import contextlib
import datetime
import importlib.util
import os
import weakref

from kjit import _core, device
from kjit.errors import ArgumentError

_open: "weakref.WeakSet[Group]" = weakref.WeakSet()


class Group(_core.Group):
    """Ranks that carry out the blocks of each launch together: GPUs of this process, or processes.

        with kjit.open_group("all") as group:
            group.hold(u, v)                    # they stay spread over the ranks
            for _ in range(1000):
                heat[grid, block](u, v)         # each rank computes its part
                u, v = v, u
                                                # at the end what is held is on the host again
    """

    _before = None

    def launch(self, launch, /, *args, split=None, halo=None, reduce=None, copy=()):
        """launch(kernel[grid, block], x, y, reduce={"y": "sum:ordered"}): a launch of which more is said than what the
        kernel shows: split={"x": axis}, halo={"x": rows}, reduce={"x": operation}, copy=["x"]."""
        copy = (copy,) if isinstance(copy, str) else copy
        said = [("split", split or {}), ("halo", halo or {}), ("reduce", reduce or {}), ("copy", dict.fromkeys(copy, ""))]
        wishes = tuple((option.encode(), name.encode(), str(value).encode())
                       for option, values in said for name, value in values.items())
        super().launch(launch, args, wishes)

    def hold(self, *arrays):
        """From now on what ranks write of these arrays of the host stays with them. Each process has the same in them."""
        super().hold(device.current(), arrays)
        self._held = [*self.__dict__.get("_held", ()), *arrays]

    def fetch(self, *arrays):
        """Brings arrays that are held to the host, of each process; all of them if none is named."""
        for array in arrays or (None,):
            super().fetch(array)

    def wrote(self, *arrays):
        """The program has changed these arrays, the same in all processes."""
        for array in arrays:
            super().wrote(array)

    def drop(self, *arrays):
        """Does not hold these arrays any more, or none if none is named; the host has what was fetched last."""
        for array in arrays or (None,):
            super().drop(array)
        self._held = [one for one in self.__dict__.get("_held", ()) if arrays and all(one is not it for it in arrays)]

    def close(self):
        """A call of all ranks."""
        _open.discard(self)
        super().close()
        self._held = []

    def __enter__(self):
        self._before = _current()
        _use(self)
        return self

    def __exit__(self, kind, error, trace):
        _use(self._before)
        if error is None:
            self.fetch()
        else:
            self.fail(f"{kind.__name__}: {error}")
        self.close()


_used = [None]


def _current():
    return _used[0]


def _use(group):
    _used[0] = group
    _core.use_group(group)


@atexit.register
def _close_all():
    _use(None)
    for group in list(_open):
        group.close()


def _numbers(devices):
    """The GPUs that are named."""
    if devices == "all":
        return tuple(range(_core.gpu_count()))
    if isinstance(devices, int):
        return (devices,)
    try:
        return tuple(int(one) for one in (devices.split(",") if isinstance(devices, str) else devices))
    except (TypeError, ValueError):
        raise ArgumentError(f"devices={devices!r}: it is 'cpu:N', ranks that the processor serves; 'all', each GPU of "
                            "this machine; or numbers of GPUs") from None


def _of_process(devices):
    """Ranks of this process alone."""
    if isinstance(devices, str) and devices.startswith("cpu:") and devices[4:].isdecimal():
        group = Group(ranks=int(devices[4:]))
        device.use("cpu")
        return group
    gpus = _numbers(devices)
    if not gpus:
        raise ArgumentError("devices='all': there is no GPU (kjit doctor says why); 'cpu:N' has the processor serve N "
                            "ranks")
    group = Group(gpus=gpus)
    device.use(f"cuda:{gpus[0]}")
    return group


def _place(share):
    """The GPU of this process: by its place among those of its host."""
    _, local, locals_, _ = _core.launched()
    gpus = 0 if os.environ.get("KJIT_DEVICE", "cuda") != "cuda" else _core.gpu_count()
    if not gpus:
        return
    if locals_ > gpus and not share:
        raise ArgumentError(f"{locals_} ranks of this host would share {gpus} GPU{'s' * (gpus > 1)}: start as many as "
                            "there are, or say share=True, or KJIT_DEVICE=cpu")
    device.use(f"cuda:{local % gpus}")


class Torch:
    """What connects processes of torchrun: torch.distributed's gloo."""

    def __init__(self, group=None):
        import torch
        from torch import distributed
        self._torch, self._distributed = torch, distributed
        if not distributed.is_initialized():
            distributed.init_process_group("gloo")
        ranks = None if group is None else distributed.get_process_group_ranks(group)
        self._group = distributed.new_group(ranks, backend="gloo")
        self._global = distributed.get_process_group_ranks(self._group)
        self.rank, self.ranks = distributed.get_rank(self._group), distributed.get_world_size(self._group)
        self._begun, self._sent, self._received = [], [0] * self.ranks, [0] * self.ranks

    def _tensor(self, view):
        return self._torch.frombuffer(view, dtype=self._torch.uint8)

    def _begin(self, begin, peer, view, counts):
        tag = counts[peer] % 2**30
        counts[peer] += 1
        with self._naming(peer):
            self._begun.append((peer, begin(self._tensor(view), self._global[peer], self._group, tag)))

    def send(self, to, view):
        self._begin(self._distributed.isend, to, view, self._sent)

    def receive(self, origin, view):
        self._begin(self._distributed.irecv, origin, view, self._received)

    def _store(self):
        return self._distributed.distributed_c10d._get_default_store()

    def finish(self):
        begun, self._begun = self._begun, []
        for peer, work in begun:
            with self._naming(peer):
                work.wait()

    @contextlib.contextmanager
    def _naming(self, peer):
        """What fails in here is that the other rank is gone, for the reason that one has left if there is any."""
        try:
            yield
        except Exception as error:
            raise RuntimeError(self._reason() or f"rank {peer} is gone: {error}") from None

    def _reason(self):
        try:
            self._store().wait(["kjit/failed"], datetime.timedelta(seconds=1))
            return self._store().get("kjit/failed").decode()
        except Exception:  # no rank has said why, or the process that had it is gone
            return None

    def fail(self, message):
        message = message[7:] if message.startswith("error: ") else message
        message = message if message.startswith("rank ") else f"rank {self.rank}: {message}"
        self._store().set("kjit/failed", message)
        group, self._group = self._group, None
        self._distributed.destroy_process_group(group)  # who waits for this rank hears of it


def _of_torch(group=None):
    transport = Torch(group)
    return Group(transport=transport, rank=transport.rank, ranks=transport.ranks)


def _of_comm(comm):
    kind = type(comm).__module__
    if kind.startswith("mpi4py"):
        from mpi4py import MPI
        return Group(comm=MPI._addressof(comm))
    if kind.startswith("torch"):
        return _of_torch(comm)
    raise ArgumentError(f"comm={comm!r} is neither a communicator of mpi4py's nor a process group of torch.distributed's")


def _of_launcher():
    ranks, _, _, by_mpi = _core.launched()
    if ranks < 2:
        return None
    return _of_torch() if not by_mpi and importlib.util.find_spec("torch") else Group()


def open_group(devices=None, comm=None, share=False):
    """Ranks that share launches. Without arguments: the processes of mpirun or torchrun, or where there is one process,
    its GPUs (one rank of the processor where there is none). devices: "all", "0,1", [0, 1], "cpu:4". comm: mpi4py's
    communicator, or torch.distributed's process group. share: ranks of a host may share its GPUs."""
    if devices is not None and comm is not None:
        raise ArgumentError("open_group() takes devices of this process, or a communicator, not both")
    group = None
    if devices is None:
        group = _of_comm(comm) if comm is not None else _of_launcher()
    if group is not None:
        _place(share)
    else:
        group = _of_process(devices if devices is not None else "all" if _core.gpu_count() else "cpu:1")
    _open.add(group)
    return group
