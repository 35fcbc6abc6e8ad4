"""cuda.jit: what becomes of functions, and what is said of those that are wrong."""
import enum
import functools
import inspect
import math
import os
import subprocess
import sys
from collections import namedtuple

import numpy as np
import pytest

import kjit
from kjit import cuda, float32, int32, types, void


def line_of(text):
    """The line of this file that ends in the text."""
    lines = inspect.getsource(inspect.getmodule(line_of)).splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(text))


def test_messages_name_the_file_and_the_line():
    @cuda.jit
    def wrong(x):
        x[0] = x.nothing  # wrong here

    with pytest.raises(kjit.TypingError) as caught:
        wrong[1, 1](np.zeros(1))
    line = line_of("# wrong here")
    assert str(caught.value).startswith(f"{__file__}:{line}:18: error: ")
    assert f"{line:5} |         x[0] = x.nothing" in str(caught.value)


@pytest.mark.parametrize("decorator, shown", [
    ("@cuda.jit('void(float32[:])')", "    @cuda.jit('void(float32[:])')"),
    ("@cuda.jit(\n        'void(float32[:])', fastmath = True)", "        'void(float32[:])', fastmath = True)"),
    # these are the text's, as what the file says there is not
    ("@cuda.jit('void(float32[:])', debug=not True)", "    @cuda.jit(['void(float32[:])'])"),
    ("@cuda.jit('void(' + 'float32[:])')", "    @cuda.jit(['void(float32[:])'])"),
])
def test_messages_quote_the_decorator_as_the_file_has_it(tmp_path, decorator, shown):
    script = tmp_path / "script.py"
    script.write_text(f"from kjit import cuda\nimport numpy as np\nif True:\n    {decorator}\n"
                      "    def f(x):\n        x[cuda.grid(1)] = 1\n    f[1, 4](np.zeros(4))\n")
    run = subprocess.run([sys.executable, "-B", script], capture_output=True, text=True)
    assert f"| {shown}\n" in run.stderr, run.stderr


@cuda.jit(device=True)
def broken(x):
    return x.nothing  # broken here


def test_messages_name_the_called_function():
    @cuda.jit
    def calls(x):
        x[0] = broken(x)  # called here

    with pytest.raises(kjit.TypingError) as caught:
        calls[1, 1](np.zeros(1))
    assert f"{__file__}:{line_of('# broken here')}:" in str(caught.value)
    assert f"{__file__}:{line_of('# called here')}:" in str(caught.value)


def test_faults_name_the_line():
    @cuda.jit(debug=True)
    def reaches(x, i):
        x[i] = 1  # reaches here

    with pytest.raises(IndexError, match=f"{__file__}:{line_of('# reaches here')}:"):
        reaches[1, 1](np.zeros(3), 3)


def test_forall_after_launches():
    """Passes may have kernels read indices along further axes: blocks are chosen for what is written."""
    text = """if True:
        import numpy as np
        import kjit
        kernel = kjit.compile('''
@cuda.jit
def k(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
''').k
        x = np.zeros(8, np.float32)
        kernel[1, 8](x)
        kernel.forall(8)(x)
        print(x.tolist())"""
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env={**os.environ, "KJIT_PASSES": "all"})
    assert run.stdout == f"{[2.0] * 8}\n", run.stdout + run.stderr


def test_forall_launches_along_one_axis():
    @cuda.jit
    def kernel(x):
        i, j = cuda.grid(2)
        if i < x.shape[0] and j < x.shape[1]:
            x[i, j] += 1

    x = np.zeros((3, 2))
    kernel.forall(3)(x)
    assert x.tolist() == [[1, 0]] * 3


def test_the_forms_of_the_decorator():
    def plain(x):
        x[0] = 7

    for kernel in (cuda.jit(plain), cuda.jit()(plain), cuda.jit("void(float32[:])")(plain),
                   cuda.jit(void(float32[:]))(plain), cuda.jit([(float32[:],)])(plain),
                   cuda.jit(plain, fastmath=True), cuda.jit(debug=True, opt=False)(plain)):
        x = np.zeros(1, np.float32)
        kernel[1, 1](x)
        assert x[0] == 7 and kernel.py_func is plain and kernel.__name__ == "plain"


def test_options_that_are_not_there():
    with pytest.raises(TypeError, match="no option 'fast_math'"):
        cuda.jit(fast_math=True)
    with pytest.raises(NotImplementedError, match="debug=True"):
        cuda.jit(boundscheck=True)
    with pytest.raises(TypeError, match="is no signature"):
        cuda.jit(5)
    with pytest.raises(kjit.Error, match="vodi"):
        cuda.jit("vodi(int32)")(lambda x: None)


def test_surroundings_are_taken_once_for_types():
    factor = 2

    @cuda.jit
    def scaled(x):
        x[0] *= factor

    x = np.ones(1)
    scaled[1, 1](x)
    factor = 5
    scaled[1, 1](x)
    assert x[0] == 4
    y = np.ones(1, np.int32)  # other types, which are met now
    scaled[1, 1](y)
    assert y[0] == 5
    scaled.recompile()
    scaled[1, 1](x)
    assert x[0] == 20


def test_functions_of_one_name():
    def made(k):
        def inner(x):
            return x + k
        return cuda.jit(inner, device=True)

    one, two = made(1), made(10)

    @cuda.jit
    def both(x):
        x[0] = one(x[0]) * two(x[0])

    x = np.ones(1)
    both[1, 1](x)
    assert x[0] == 22


def test_lambdas_and_lines():
    plus, minus = cuda.jit(lambda a, b: a + b, device=True), cuda.jit(
        lambda a, b: a - b, device=True)

    @cuda.jit
    def use(x): x[0] = plus(x[0], 3) * minus(x[0], 1)

    x = np.array([5.0])
    use[1, 1](x)
    assert x[0] == 32


def test_lambdas_of_one_line():
    def made(k):
        return [lambda v: v + k, lambda v: v - k, lambda v: v / 1, lambda v: v / 1.5, lambda v: abs(v), lambda v: math.exp(v)]

    for function in made(3):
        device = cuda.jit(function, device=True)

        @cuda.jit
        def use(x):
            x[0] = device(x[0])

        x = np.array([4.0])
        use[1, 1](x)
        assert x[0] == pytest.approx(function(4.0))


def test_lambdas_that_their_defaults_tell_apart():
    far, near = 12, 1
    functions = [lambda v, k=1: v + k, lambda v, k=2: v + k, lambda v, k=12, j=near: v + k + j,
                 lambda v, k=far, j=5: v + k + j, lambda v: v + 1, lambda v: (v +
        2)]
    for function in functions:
        device = cuda.jit(function, device=True)

        @cuda.jit
        def use(x):
            x[0] = device(x[0])

        x = np.array([4.0])
        use[1, 1](x)
        assert x[0] == function(4.0)


def test_defaults_that_were_changed():
    def function(v, k=1):
        return v + k

    function.__defaults__ = (5,)
    device = cuda.jit(function, device=True)

    @cuda.jit
    def use(x):
        x[0] = device(x[0])

    x = np.array([4.0])
    use[1, 1](x)
    assert x[0] == 9


def test_a_file_that_was_changed(tmp_path, monkeypatch):
    """Kernels are of what was imported, or refused: not of what the file has by then."""
    text = "from kjit import cuda\n\n\n@cuda.jit\ndef one(x):\n    assert x.size\n    x[0] = 1\n"
    (tmp_path / "changing.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    from changing import one
    kinds = iter((np.int8, np.int16, np.int32, np.int64))
    for change, is_fine in ((text, True), (text + "two = 2\n", True), (text.replace("= 1", "= 2"), False), ("\n" + text, False)):
        (tmp_path / "changing.py").write_text(change)
        x = np.zeros(1, next(kinds))
        if is_fine:
            one[1, 1](x)
            assert x[0] == 1
        else:
            with pytest.raises(TypeError, match="the file was changed: import it anew"):
                one[1, 1](x)


def test_functions_of_any_name():
    @cuda.jit(device=True)
    def math(x):
        return x + 1

    @cuda.jit
    def types(x):
        x[0] = math(x[1])

    x = np.array([0.0, 2.0])
    types[1, 1](x)
    assert x[0] == 3.0


def test_recursion_and_defaults():
    @cuda.jit(device=True)
    def factorial(n):
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    @cuda.jit(device=True)
    def shifted(x, by=3):
        return x + by

    @cuda.jit
    def use(x, n=4):
        x[0] = factorial(n) + shifted(1) + shifted(1, by=5)

    x = np.zeros(1)
    use[1, 1](x)
    assert x[0] == 24 + 4 + 6
    use[1, 1](x, n=3)
    assert x[0] == 6 + 4 + 6
    with pytest.raises(TypeError):
        use[1, 1]()
    with pytest.raises(TypeError):
        use[1, 1](x, 1, 2)


def test_names_that_are_nowhere():
    @cuda.jit
    def reads(x):
        x[0] = no_such_name  # noqa: F821

    with pytest.raises(NameError, match="'no_such_name' is not defined\n") as raised:
        reads[1, 1](np.zeros(1))
    line = reads.py_func.__code__.co_firstlineno + 2
    head, quote, mark = str(raised.value).split("\n")
    assert f"test_jit.py:{line}:16: error: " in head
    assert quote.index("no_such_name") == mark.index("^") and mark.endswith(" ^" + 11 * "~")

    thickness = 3

    @cuda.jit
    def reads_similar(x):
        x[0] = thickness + thicknes  # noqa: F821

    with pytest.raises(NameError, match="'thicknes' is not defined; did you mean 'thickness'\\?"):
        reads_similar[1, 1](np.zeros(1))


def test_values_that_kernels_cannot_read():
    thing = object()

    @cuda.jit
    def reads_thing(x):
        x[0] = thing

    with pytest.raises(TypeError, match="pass it as an argument"):
        reads_thing[1, 1](np.zeros(1))

    class Pair:
        first = 1

    @cuda.jit
    def makes_pair(x):
        x[0] = Pair().first

    with pytest.raises(TypeError, match="makes objects of Pair: kernels have none; a namedtuple"):
        makes_pair[1, 1](np.zeros(1))


def test_what_is_for_kernels():
    for stub in (cuda.grid, cuda.syncthreads, cuda.atomic.add, cuda.shared.array, cuda.libdevice.sinf):
        with pytest.raises(RuntimeError, match="for kernels"):
            stub(1)
    with pytest.raises(TypeError, match="device function"):
        broken(1)
    with pytest.raises(RuntimeError, match="device function"):
        broken[1, 1](np.zeros(1))
    with pytest.raises(ValueError, match="configuration"):
        cuda.jit(lambda x: None)(np.zeros(1))


REFUSED = ("mapped", "open_ipc_array", "intrinsic", "Linker", "runtime")


@pytest.mark.parametrize("name", REFUSED)
def test_names_that_are_left_out(name):
    with pytest.raises(NotImplementedError, match=r"cuda\."):
        getattr(cuda, name)


def test_methods_that_are_left_out():
    kernel = cuda.jit(lambda x: None)
    for call in (lambda: kernel.inspect_types(), lambda: cuda.compile(lambda x: x, "int32(int32)", device=True),
                 lambda: cuda.profile_start(),
                 lambda: cuda.stream().add_callback(print), lambda: cuda.stream().async_done(),
                 lambda: cuda.device_array(3, strides=(16,)), lambda: cuda.to_device(np.zeros(3))[[1, 2]],
                 lambda: kjit.stencil, lambda: kjit.overload, lambda: kjit.typed):
        with pytest.raises(NotImplementedError):
            call()
    with pytest.raises(AttributeError):
        cuda.no_such_name
    assert {"to_device", "blockIdx", "random"} <= set(dir(cuda)) and all(hasattr(cuda, name) for name in dir(cuda))
    with pytest.raises(ImportError):
        from kjit import no_such_name  # noqa: F401


def test_classes_of_the_host_are_python_s():
    class Pair:
        pass

    assert kjit.jitclass([("a", kjit.float64)])(Pair) is Pair
    assert kjit.jitclass(Pair) is Pair
    assert kjit.jitclass(Pair, [("a", kjit.float64)]) is Pair


def test_ufunc_methods_that_are_left_out():
    @kjit.vectorize(["int64(int64, int64)"])
    def plus(a, b):
        return a + b

    assert plus.reduce(np.arange(5)) == 10
    for call in (lambda: plus.accumulate([1, 2]), lambda: plus.at([1], 0, 1), lambda: plus.outer([1], [2]),
                 lambda: plus.reduce(np.ones((2, 2), int))):
        with pytest.raises(NotImplementedError):
            call()
    with pytest.raises(TypeError, match="no signature for"):
        plus(1.5, 2)
    with pytest.raises(TypeError, match="takes 2 arguments"):
        plus(1)


def test_facts():
    @cuda.jit("void(float32[:])")
    def kernel(x):
        x[0] = 1

    for fact in (kernel.get_regs_per_thread, kernel.get_shared_mem_per_block, kernel.get_local_mem_per_thread,
                 kernel.get_const_mem_size):
        assert fact() >= 0
    assert kernel.get_max_threads_per_block() == 1024
    assert kernel.signatures == [(float32[:],)]

    @cuda.jit
    def shares(x):
        s = cuda.shared.array(10, x.dtype)
        s[0] = x[0]
        x[1] = s[0]

    shares[1, 1](np.zeros(2, np.float32))
    shares[1, 1](np.zeros(2, np.float64))
    assert shares.get_shared_mem_per_block() == {(float32[::1],): 40, (kjit.float64[::1],): 80}
    assert shares.get_shared_mem_per_block(void(float32[::1])) == 40
    assert all(not facts["spill_bytes"] for facts in shares.facts()) and len(shares.facts()) == 2
    assert shares.overloads[(kjit.float64[::1],)].shared_mem_per_block == 80
    assert shares.get_shared_mem_per_block((int32[::1],)) == 40 and len(shares.overloads) == 3


def test_stages():
    @cuda.jit
    def kernel(x):
        x[0] = 1

    assert kernel.inspect_llvm() == {}
    kernel[1, 1](np.zeros(1, np.float32))
    (call, ir), = kernel.inspect_llvm().items()
    assert call == (float32[::1],) and "store" in ir
    assert "__global__" in kernel.inspect_cuda("void(float64[:])")
    assert kernel.inspect("remarks", "void(float64[:])") == ""


def test_specialized():
    @cuda.jit
    def kernel(x):
        x[0] = 1

    bytes_alone = kernel.specialize(np.zeros(1, np.int8))
    assert bytes_alone is kernel.specialize(kjit.int8[::1]) and list(kernel.specializations) == [(kjit.int8[::1],)]
    assert list(bytes_alone.inspect_llvm()) == [(kjit.int8[::1],)] and bytes_alone.specialized
    with pytest.raises(TypeError, match="int8"):
        bytes_alone[1, 1](np.zeros(1))
    with pytest.raises(RuntimeError, match="already specialized"):
        bytes_alone.specialize(float32[:])


def test_declared_functions(tmp_path):
    text = "int half_of(float *result, float x) { *result = x / 2; return 0; }\n"
    (tmp_path / "f.c").write_text(text)
    (tmp_path / "f.cu").write_text('extern "C" __device__ ' + text)
    half_of = cuda.declare_device("half_of", "float32(float32)", link=[str(tmp_path / "f.c"), str(tmp_path / "f.cu")])

    @cuda.jit
    def kernel(x):
        x[0] = half_of(x[0])

    x = np.array([3], np.float32)
    kernel[1, 1](x)
    assert x[0] == 1.5 and half_of.name == "half_of" and half_of.sig == float32(float32)
    with pytest.raises(TypeError, match="Return type must be provided"):
        cuda.declare_device("f", "(float32,)")
    with pytest.raises(TypeError, match="the host cannot"):
        half_of(1)


Point, Pair, Colour = namedtuple("Point", "x y"), namedtuple("Pair", "y x"), enum.Enum("Colour", "red green")


def test_namedtuples_from_outside():
    @cuda.jit
    def kernel(out, p):
        out[0] = p.x
        out[1] = p.y

    out = np.zeros(2)
    for given, want in ((Point(1, 2), (1, 2)), (Pair(1, 2), (2, 1)), (Point(3, 4.5), (3, 4.5))):
        kernel[1, 1](out, given)
        assert tuple(out) == want
    with pytest.raises(kjit.TypingError, match="no attribute 'x'"):
        kernel[1, 1](out, (1, 2))


def test_classes_are_the_same_in_all_functions():
    @cuda.jit(device=True)
    def chosen(n):
        return Colour.red if n else Colour.green

    @cuda.jit
    def kernel(out):
        out[0] = chosen(1) == Colour.red
        out[1] = chosen(0) == Colour.red

    out = np.zeros(2, bool)
    kernel[1, 1](out)
    assert list(out) == [True, False]


def test_extensions():
    class Boxed:
        def __init__(self, value):
            self.value = value

    class Unboxing:
        def prepare_args(self, ty, val, stream, retr):
            if isinstance(val, Boxed):
                retr.append(lambda: seen.append(val.value[0]))
                return ty, val.value
            return ty, val

    @cuda.jit(extensions=[Unboxing()])
    def kernel(x):
        x[0] = 5

    seen = []
    kernel[1, 1](Boxed(np.zeros(1)))
    assert seen == [5]


def test_options_are_looked_at():
    with pytest.raises(ValueError, match="Got 4 launch bounds"):
        cuda.jit(launch_bounds=(128, 2, 4, 8))
    for carveout in (150, -2, "some"):
        with pytest.raises(ValueError, match="between -1 and 100|Invalid carveout"):
            cuda.jit(shared_memory_carveout=carveout)
    for shape, text in (([(1, 2, 3, 4), 1], r"griddim must be a sequence of 1, 2 or 3 integers, got \[1, 2, 3, 4\]"),
                        ([1, 2.5], r"blockdim must be a sequence of integers, got \[2.5\]")):
        with pytest.raises((ValueError, TypeError), match=text):
            cuda.jit(lambda x: None)[tuple(shape)]


def test_pickles():
    import pickle
    assert pickle.loads(pickle.dumps(broken)) is broken
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(cuda.jit(lambda x: None))


def test_overloads():
    @cuda.jit("void(int32[:,::1], float32)")
    def kernel(x, f):
        x[0, 0] = f

    for args in ((int32[:, ::1], float32), next(iter(kernel.overloads)), (types.int64[::1, :], kjit.float64)):
        if args[0] == types.int64[::1, :]:
            with pytest.raises(kjit.Error):
                kernel.overloads[args].max_cooperative_grid_blocks(32)
        else:
            assert kernel.overloads[args].max_cooperative_grid_blocks((16, 4)) >= 1


def test_types():
    assert float32(1.1) == np.float32(1.1) and type(float32(1.1)) is np.float32
    assert repr(float32[:, ::1]) == "float32[:, ::1]" and repr(float32[::1, :]) == "float32[::1, :]"
    assert repr(void(int32[:], types.UniTuple(float32, 2))) == "(int32[:], Tuple((float32, float32, )), )"
    assert float32[:] == types.Array(float32, 1, "A") and float32[:].layout == "A"
    assert kjit.from_dtype(np.dtype("i4")) == int32
    assert kjit.typeof(np.zeros((2, 3))) == kjit.float64[:, ::1]
    assert types.typeof((1, 2.5)) == types.Tuple((kjit.int64, kjit.float64))


def test_prints_come_in_order(capfd):
    @cuda.jit
    def says(n):
        print("kernel", n)

    print("before")
    says[1, 1](3)
    cuda.synchronize()
    print("after")
    assert capfd.readouterr().out == "before\nkernel 3\nafter\n"


def test_in_and_out():
    @cuda.jit
    def double(x):
        x[0] = 2 * x[0]

    x = np.array([3.0])
    double[1, 1](cuda.In(x))
    assert x[0] == 3
    double[1, 1](cuda.InOut(x))
    assert x[0] == 6
    double[1, 1](cuda.Out(x))
    assert x[0] == 12


def test_arrays_of_other_libraries():
    class Exporter:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **words):
            return self.array.__dlpack__()

    host = np.arange(4.0)
    adopted = cuda.as_cuda_array(Exporter(host))
    if cuda.current_context().device.kjit_name == "cpu":
        adopted[1] = 10
        assert host[1] == 10
        assert np.asarray(adopted[1:]).tolist() == [10, 2, 3]
        assert memoryview(adopted).tolist() == [0, 10, 2, 3]
    assert cuda.is_cuda_array(adopted) and not cuda.is_cuda_array(host)


def test_math_of_the_host():
    @cuda.jit
    def use(x):
        x[0] = math.sqrt(np.float32(x[0])) + abs(-1) + min(3, 4)

    x = np.array([16.0])
    use[1, 1](x)
    assert x[0] == 8


def test_default_values_are_those_of_the_definition():
    class Sizes:
        few = 5

    def made(n):
        @cuda.jit(device=True)
        def added(x, a=Sizes.few, b=(n
                                     * 2), *, c=(n, 1)):
            return x + a + b + c[0]
        return added

    one, two = made(1), made(10)
    lambdas = [cuda.jit(lambda x, é=n, n=n + 1: x + 10 * é + n, device=True) for n in range(3)]
    three, four, five = lambdas

    @cuda.jit
    def use(x):
        x[0] = one(0)
        x[1] = two(0)
        x[2] = three(0)
        x[3] = four(0)
        x[4] = five(0)

    x = np.zeros(5)
    use[1, 1](x)
    assert x.tolist() == [5 + 2 + 1, 5 + 20 + 10, 1, 12, 23]
    kernels = []
    for i in range(3):
        @cuda.jit
        def kernel(x, value=i):
            x[0] = value
        kernels.append(kernel)
    for i, kernel in enumerate(kernels):
        kernel[1, 1](x)
        assert x[0] == i


def test_keyword_only_parameters():
    @cuda.jit
    def kernel(x, *, factor=3, by):
        x[0] = 10 * factor + by

    x = np.zeros(1)
    kernel[1, 1](x, by=1)
    assert x[0] == 31
    kernel[1, 1](x, by=2, factor=4)
    assert x[0] == 42
    with pytest.raises(TypeError, match="by"):
        kernel[1, 1](x)


def test_a_function_that_wraps_another_is_itself():
    def decorated(function):
        @functools.wraps(function)
        def wrapper(x):
            x[0] = 42
        return wrapper

    @cuda.jit
    @decorated
    def inner(x, y):
        x[0] = y

    x = np.zeros(1)
    inner[1, 1](x)
    assert x[0] == 42


def test_constants_that_are_no_finite_numbers():
    values = np.array([complex(1, np.nan), complex(-np.inf, 2)])
    reals = np.array([[np.inf, -np.inf, np.nan]], np.float32)
    records = np.array([(1, np.nan), (2, -np.inf)], [("n", "i4"), ("x", "f8")])

    @cuda.jit
    def use(c, r):
        for i in range(2):
            c[i] = values[i]
            r[3 + i] = records[i].x
        for i in range(3):
            r[i] = reals[0, i]

    c, r = np.zeros(2, complex), np.zeros(5)
    use[1, 1](c, r)
    assert np.array_equal(c, values, equal_nan=True)
    assert np.array_equal(r, [np.inf, -np.inf, np.nan, np.nan, -np.inf], equal_nan=True)


def test_types_of_ml_dtypes():
    ml = pytest.importorskip("ml_dtypes")
    half, small = ml.bfloat16, ml.float8_e4m3fn
    table = np.array([0.1, 300], half)

    @cuda.jit
    def use(x, out):
        i = cuda.grid(1)
        out[i] = 2 * x[i] + ml.bfloat16(3.0) + half(0.5) + table[0] + np.float32(small(i / 3))

    x, out = np.arange(4).astype(half), np.zeros(4, np.float32)
    use[1, 4](x, out)
    added = np.float32(table[0]) + (np.arange(4) / 3).astype(small).astype(np.float32)
    np.testing.assert_allclose(out, 2 * np.arange(4) + 3.5 + added, rtol=2 ** -7)


def test_objects_whose_attributes_are_made_anew():
    """Functions of the same address are not the same."""
    class Makes:
        def __getattr__(self, name):
            if not name[1:].isdigit():
                raise AttributeError(name)
            number = int(name[1:])
            return lambda x: x + number

    makes = Makes()

    @cuda.jit
    def use(x):
        x[0] = makes.f1(0)
        x[1] = makes.f20(0)
        x[2] = makes.f300(0)

    x = np.zeros(3)
    use[1, 1](x)
    assert x.tolist() == [1, 20, 300]


def test_a_shape_that_changes_is_read_anew():
    @cuda.jit
    def count(x):
        cuda.atomic.add(x, 0, 1)

    x = np.zeros(1, np.int64)
    grid, block = [1], 4
    for grid[0] in (1, 2, 3):
        count[grid, block](x)
    shape = (1, 2), (2, 3)
    for _ in range(3):
        count[shape](x)
    count[shape[0], np.int32(5)](x)
    count[1, 1](x)
    assert x[0] == 4 * (1 + 2 + 3) + 3 * 12 + 10 + 1
    for _ in range(2):
        with pytest.raises(ValueError, match="no threads"):
            count[0, 1](x)


def test_reductions_begin_with_init():
    @kjit.cuda.reduce
    def multiply(a, b):
        return a * b

    values, result = kjit.cuda.to_device(np.array([2.0, 4.0])), kjit.cuda.to_device(np.ones(1))
    multiply(values, res=result)
    assert result.copy_to_host()[0] == multiply(values) == 0
    multiply(values, res=result, init=3)
    assert result.copy_to_host()[0] == multiply(values, init=3) == 24
