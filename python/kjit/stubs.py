"""Names that only kernels can use: on the host they stand for themselves, and say so when called."""

CUDA_NAMES = """
    threadIdx blockIdx blockDim gridDim laneid warpsize grid gridsize
    syncthreads syncthreads_count syncthreads_and syncthreads_or syncwarp
    threadfence threadfence_block threadfence_system activemask lanemask_lt lanemask_le lanemask_gt lanemask_ge
    lanemask_eq all_sync any_sync eq_sync ballot_sync shfl_sync shfl_up_sync shfl_down_sync shfl_xor_sync
    match_any_sync match_all_sync vote_sync_intrinsic shfl_sync_intrinsic nanosleep
    popc clz brev ffs fma cbrt selp atomic shared local const libdevice cg fp16 bf16 bfloat16 literal_unroll
    ldca ldcg ldcs ldlu ldcv stcg stcs stwb stwt carray farray
""".split()
VECTORS = [f"{kind}x{count}" for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                                          "float32", "float64") for count in (1, 2, 3, 4)]
VECTOR_ALIASES = [f"{kind}{count}" for kind in ("char", "short", "int", "long", "longlong", "uchar", "ushort", "uint",
                                                "ulong", "ulonglong", "float", "double") for count in (1, 2, 3, 4)]


class Stub:
    """A name of the kernels' language, `path` as an import would write it."""

    def __init__(self, path):
        self._kjit_path = path
        self.__name__ = path.rpartition(".")[2]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Stub(f"{self._kjit_path}.{name}")

    def __call__(self, *args, **words):
        raise RuntimeError(f"{self} is for kernels: the host cannot call it")

    def __repr__(self):
        return self._kjit_path.removeprefix("numba.") if hasattr(str, "removeprefix") else self._kjit_path


def cuda_stub(name):
    """The stub of cuda.NAME; None if kernels have no such name."""
    if name in CUDA_NAMES or name in VECTORS or name in VECTOR_ALIASES:
        return Stub(f"numba.cuda.{name}")
    return None
