"""Launches that ranks share: kjit.open_group()."""
import ctypes
import functools
import os
import shutil
import socket
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import kjit
from kjit import cuda
from ranks import compare, remainders, work

PREFIX = f"import sys; sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\n" \
         "import kjit\nfrom ranks import *\n"

AS_ROOT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

on_processor = pytest.mark.skipif(os.environ.get("KJIT_DEVICE", "cpu") != "cpu", reason="ranks of the processor")


@on_processor
@pytest.mark.parametrize("ranks", [1, 2, 3, 7])
def test_ranks_of_the_processor_compute_what_one_does(ranks):
    group = kjit.open_group(f"cpu:{ranks}")
    assert (group.rank, group.ranks) == (0, ranks)
    compare(group)


@on_processor
def test_what_is_said_of_arrays():
    x, total = np.ones(1000, np.float32), np.zeros(1, np.float32)

    @cuda.jit
    def add(x, total):
        i = cuda.grid(1)
        if i < x.shape[0]:
            cuda.atomic.add(total, 0, x[i])

    group = kjit.open_group("cpu:4")
    group.launch(add[8, 128], x, total, reduce={"total": "sum:ordered"}, copy="x")
    assert total[0] == 1000
    with pytest.raises(kjit.ArgumentError, match="--reduce y: add has no array 'y'"):
        group.launch(add[8, 128], x, total, reduce={"y": "sum"})
    group.close()
    with pytest.raises(ValueError, match="the group is closed"):
        group.launch(add[8, 128], x, total)


@on_processor
def test_what_the_host_writes_between_launches():
    u, v, x, n = work()
    group = kjit.open_group("cpu:3")
    group.hold(x)
    group.launch(remainders[8, 128], x, n)
    x[:] = 5
    group.wrote(x)
    group.launch(remainders[8, 128], x, n)
    assert n.tolist() == [1200, 200, 200, 200, 200]
    group.drop(x)
    with pytest.raises(kjit.ArgumentError, match="does not hold this memory"):
        group.fetch(x)
    group.close()


@on_processor
def test_what_cannot_be_split_is_refused():
    @cuda.jit
    def backwards(x):
        i = cuda.grid(1)
        if 0 < i < x.shape[0]:
            x[i] = x[x.shape[0] - 1 - i] + 1

    x = np.zeros(100000, np.float32)
    with pytest.raises(kjit.Error, match="cannot be split over 2 ranks"), kjit.open_group("cpu:2"):
        backwards[1000, 128](x)
    backwards[1000, 128](x)  # launches are one device's again


def test_wrong_devices():
    for wrong in "cpu:", "gpu", "cpu:x", 1.5:
        with pytest.raises(kjit.ArgumentError, match="it is 'cpu:N'"):
            kjit.open_group(wrong)
    with pytest.raises(kjit.ArgumentError, match="not both"):
        kjit.open_group("cpu:2", comm=1)
    with pytest.raises(kjit.ArgumentError, match="neither a communicator of mpi4py's"):
        kjit.open_group(comm=1)
    with pytest.raises(kjit.ArgumentError, match="1 to 256 ranks, not 1000"):
        kjit.open_group("cpu:1000")


# ---- processes -------------------------------------------------------------------------------------------------------

OF_TWO = """
from kjit.groups import Group
rank, number = map(int, sys.argv[1:])
group = Group(transport=Sockets(number), rank=rank, ranks=2)
"""


def run_two(text):
    pair = socket.socketpair()
    for one in pair:
        one.set_inheritable(True)
    text = PREFIX + OF_TWO + textwrap.dedent(text)
    ranks = [subprocess.Popen([sys.executable, "-c", text, str(rank), str(one.fileno())], stderr=subprocess.PIPE,
                              pass_fds=[one.fileno()], text=True) for rank, one in enumerate(pair)]
    for one in pair:
        one.close()
    return [(rank.communicate()[1], rank.returncode) for rank in ranks]


@on_processor
def test_a_transport_of_the_programs_own():
    for said, status in run_two("compare(group)"):
        assert (said, status) == ("", 0)


@on_processor
def test_arrays_that_lie_otherwise_in_other_ranks():
    for said, status in run_two('''
            memory = np.zeros(3000, np.float32)
            places = [memory[rank:][:1001], memory[1500 + rank:][:1001]]
            u, v = places[::-1] if rank else places
            first, last, x, n = work()
            u[:] = v[:] = first
            group.hold(u, v)
            with group:
                heat[8, 128](u, v)
                v[:], u[:] = last, v
                group.wrote(u, v)
                heat[8, 128](u, v)
                heat[8, 128](v, u)
            a, b = first.copy(), first.copy()
            heat[8, 128](a, b)
            b[:], a[:] = last, b
            heat[8, 128](a, b)
            heat[8, 128](b, a)
            assert (u == a).all() and (v == b).all()
            '''):
        assert (said, status) == ("", 0)


@on_processor
def test_a_rank_that_raises_ends_the_others():
    first, second = run_two('''
        with group:
            u, v, x, n = work()
            if rank == 1:
                raise KeyError("nothing there")
            remainders[8, 128](x, n)
        ''')
    assert "KeyError: 'nothing there'" in second[0] and second[1] == 1
    assert "the other rank is gone" in first[0] and first[1] == 1


@on_processor
def test_ranks_that_differ():
    for said, status in run_two('''
            u, v, x, n = work()
            x[3] += rank
            group.launch(remainders[8, 128], x, n)
            '''):
        assert "rank 1 has another value of argument 1 than rank 0" in said and status == 1


@on_processor
@pytest.mark.parametrize("call", ["scaled[8, 128](v, u, 0.5 + rank)", "(scaled if rank else heat)[8, 128](v, u, *[0.5] * rank)"])
def test_ranks_that_part_ways(call):
    ended = run_two(f'''
        u, v, x, n = work()
        with group:
            group.hold(u, v)
            for k in range(2):
                scaled[8, 128](u, v, 0.5)
                heat[8, 128](v, u)
            {call}
        ''')  # a rank that nothing is sent to may not hear of it
    assert any("all ranks are to make the same calls with the same values" in said and status for said, status in ended)


@on_processor
def test_what_a_rank_has_it_may_fetch_alone():
    for said, status in run_two('''
            u, v, x, n = work()
            with group:
                group.hold(u, v)
                heat[8, 128](u, v)
                group.fetch(v)
                if rank == 0:
                    group.fetch(v)
                heat[8, 128](v, u)
                group.fetch(u)
            '''):
        assert (said, status) == ("", 0)


@on_processor
def test_a_rank_that_ends_early(tmp_path):
    mpirun = shutil.which("mpirun")
    if not mpirun:
        pytest.skip("no mpirun")
    # mpirun may end before it has handed on what a rank said last: each says it to a file
    text = PREFIX + textwrap.dedent('''
        import os
        os.dup2(os.open(sys.argv[1] + os.environ["OMPI_COMM_WORLD_RANK"], os.O_CREAT | os.O_WRONLY), 2)
        group = kjit.open_group()
        u, v, x, n = work()
        if group.rank != 1:
            group.launch(remainders[8, 128], x, n)
        ''')
    done = subprocess.run([mpirun, "--oversubscribe", "-n", "3", sys.executable, "-c", text, str(tmp_path / "said.")],
                          env=AS_ROOT)
    said = "".join(path.read_text() for path in tmp_path.glob("said.*"))
    assert "rank 1 has ended, and rank " in said and done.returncode == 1


@on_processor
def test_mpi4py():
    mpirun = shutil.which("mpirun")
    if not mpirun or subprocess.run([sys.executable, "-c", "import mpi4py.MPI"], capture_output=True).returncode:
        pytest.skip("no mpi4py, or no mpirun")
    text = PREFIX + textwrap.dedent('''
        from mpi4py import MPI
        compare(kjit.open_group(comm=MPI.COMM_WORLD))
        compare(kjit.open_group())
        half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank % 2)
        group = kjit.open_group(comm=half)
        assert group.ranks == half.size
        compare(group)
        ''')
    done = subprocess.run([mpirun, "--oversubscribe", "-n", "4", sys.executable, "-c", text], capture_output=True,
                          text=True, env=AS_ROOT)
    assert (done.stderr, done.returncode) == ("", 0)


@functools.cache
def has_torch():
    return subprocess.run([sys.executable, "-c", "import torch"], capture_output=True).returncode == 0


def has_zeromq():
    try:
        return bool(ctypes.CDLL("libzmq.so.5"))
    except OSError:
        return False


def torchrun(ranks, text):
    """What processes with torchrun's variables say, and their status."""
    with socket.socket() as held:  # a port that nothing else is given: it is bound, and rank 0, which listens there, may, too
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("", 0))
        known = {**os.environ, "WORLD_SIZE": str(ranks), "LOCAL_WORLD_SIZE": str(ranks), "MASTER_ADDR": "localhost",
                 "MASTER_PORT": str(held.getsockname()[1])}
        processes = [subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      env={**known, "RANK": str(rank), "LOCAL_RANK": str(rank)}) for rank in range(ranks)]
        return [(process.communicate()[0], process.returncode) for process in processes]


@on_processor
def test_torchrun():
    if not has_torch():
        pytest.skip("there is no torch")
    text = PREFIX + "group = kjit.open_group(); assert group.ranks == int(os.environ['WORLD_SIZE']); compare(group)"
    assert [status for _, status in torchrun(3, "import os\n" + text)] == [0] * 3


ENDS = """
group = kjit.open_group()
u, v, x, n = work()
with group:
    if group.rank == 1:
        {end}
    remainders[8, 128](x, n)
"""


@on_processor
@pytest.mark.parametrize("end, wanted", [("os.kill(os.getpid(), 9)", "rank 1 is gone: "),
                                         ("raise KeyError('nothing there')", "rank 1: KeyError: 'nothing there'")])
def test_a_rank_of_torchrun_that_ends(end, wanted):
    if not has_torch():
        pytest.skip("there is no torch")
    (said, status), _ = torchrun(2, "import os\n" + PREFIX + ENDS.format(end=end))
    assert wanted in said and status == 1


WITHOUT_TORCH = "import os, sys; sys.modules['torch'] = None\n"


@on_processor
def test_torchrun_without_torch():
    if not has_zeromq():
        pytest.skip("there is no ZeroMQ")
    text = WITHOUT_TORCH + PREFIX + "group = kjit.open_group(); assert group.ranks == 3; compare(group)"
    assert torchrun(3, text) == [("", 0)] * 3
    (said, status), _ = torchrun(2, WITHOUT_TORCH + PREFIX + ENDS.format(end="raise KeyError('nothing there')"))
    assert "rank 1: KeyError: 'nothing there'" in said and status == 1


@on_processor
def test_torchrun_without_a_library():
    said, status = torchrun(2, "import os; os.environ['KJIT_ZMQ'] = '/nowhere.so'\n" + WITHOUT_TORCH +
                            "import kjit; kjit.open_group()")[0]
    assert "ZeroMQ, which connects them, cannot be loaded" in said and status == 1
