"""numba.cuda.random: states on the host, numbers in kernels."""
from kjit import _core
from kjit.stubs import Stub
from kjit.types import from_dtype

DTYPE = [("s0", "<u8"), ("s1", "<u8")]


def __getattr__(name):
    if name in ("xoroshiro128p_dtype", "xoroshiro128p_type"):
        import numpy as np
        dtype = np.dtype(DTYPE, align=True)
        return dtype if name == "xoroshiro128p_dtype" else from_dtype(dtype)
    if name.startswith(("xoroshiro128p_", "init_xoroshiro128p_state")):
        return Stub(f"numba.cuda.random.{name}")
    raise AttributeError(f"numba.cuda.random has no {name!r}")


def init_xoroshiro128p_states_cpu(states, seed, subsequence_start):
    _core.random_states(states, int(seed) & (2**64 - 1), int(subsequence_start))


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    import numpy as np
    host = np.empty(states.shape, np.dtype(DTYPE, align=True))
    init_xoroshiro128p_states_cpu(host, seed, subsequence_start)
    states.copy_to_device(host, stream)


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    """A device array of states of n generators, far from one another in the sequence of the seed."""
    import numpy as np
    from kjit.arrays import new
    states = new(n, np.dtype(DTYPE, align=True))
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states
