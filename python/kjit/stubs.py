"""Names that only kernels can use: on the host they stand for themselves, and say so when called."""

CUDA_NAMES = """
    threadIdx blockIdx blockDim gridDim laneid warpsize grid gridsize
    syncthreads syncthreads_count syncthreads_and syncthreads_or syncwarp
    threadfence threadfence_block threadfence_system activemask lanemask_lt lanemask_le lanemask_gt lanemask_ge
    lanemask_eq all_sync any_sync eq_sync ballot_sync shfl_sync shfl_up_sync shfl_down_sync shfl_xor_sync
    match_any_sync match_all_sync vote_sync_intrinsic shfl_sync_intrinsic nanosleep
    popc clz brev ffs fma cbrt selp atomic shared local const libdevice cg fp16 bf16 fp8 bfloat16 literal_unroll
    ldca ldcg ldcs ldlu ldcv stcg stcs stwb stwt carray farray
""".split()
VECTOR_KINDS = {"int8": "char", "int16": "short", "int32": "int", "int64": "long longlong", "uint8": "uchar", "uint16":
                "ushort", "uint32": "uint", "uint64": "ulong ulonglong", "float32": "float", "float64": "double"}


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


class Vector(Stub):
    """A vector type: cuda.float32x4, which is cuda.float4, too."""

    def __init__(self, kind, count):
        from kjit.types import NUMBERS
        self.name, self.base_type, self.num_elements = f"{kind}x{count}", NUMBERS[kind], count
        self.attr_names, self.aliases = tuple("xyzw"[:count]), [f"{word}{count}" for word in VECTOR_KINDS[kind].split()]
        self.user_facing_object = self
        super().__init__(f"numba.cuda.{self.name}")


_vectors: dict = {}


def vectors():
    """Vector types by their names, made when they are first asked for."""
    global _vectors
    _vectors = _vectors or {f"{kind}x{count}": Vector(kind, count) for kind in VECTOR_KINDS for count in (1, 2, 3, 4)}
    return _vectors


def vector_called(name):
    if name in vectors():
        return vectors()[name]
    return next((vector for vector in vectors().values() if name in vector.aliases), None)


def cuda_stub(name):
    """The stub of cuda.NAME; None if kernels have no such name."""
    if name in CUDA_NAMES:
        return Stub(f"numba.cuda.{name}")
    return vector_called(name) if name[-1:] in "1234" else None
