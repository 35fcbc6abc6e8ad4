#!/usr/bin/env python3
"""kjit beside PyTorch in one process: tensors as arguments of kernels, on PyTorch's own streams.

    torch_interop.py LIBKJIT

Nothing is copied or waited for: a tensor's memory is described to kjit_launch(), and the launch
goes to the stream that PyTorch is on. Prints `N passed, N failed` and exits 1 if one failed; where
there is no PyTorch, or it has no GPU, `N skipped: why`.
"""
import ctypes
import sys

TESTS = 8
TEXT = b"""
@cuda.jit
def axpy(a, x, y):
    i, j = cuda.grid(2)
    if i < y.shape[0] and j < y.shape[1]:
        y[i, j] += a * x[i, j]
"""


class Array(ctypes.Structure):
    """kjit_array"""
    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_int32),
                ("flags", ctypes.c_uint32), ("shape", ctypes.c_int64 * 8),
                ("strides", ctypes.c_int64 * 8), ("record", ctypes.c_void_p)]


class As(ctypes.Union):
    _fields_ = [("integer", ctypes.c_int64), ("number", ctypes.c_double), ("array", Array)]


class Arg(ctypes.Structure):
    """kjit_arg"""
    _anonymous_ = ["value"]
    _fields_ = [("kind", ctypes.c_int), ("dtype", ctypes.c_int), ("value", As)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("grid", ctypes.c_uint32 * 3),
                ("block", ctypes.c_uint32 * 3), ("shared_bytes", ctypes.c_size_t),
                ("stream", ctypes.c_void_p)]


class OpenOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p),
                ("no_disk_cache", ctypes.c_int)]


FLOAT32, ON_DEVICE, SCALAR, ARRAY = 12, 2, 0, 1


class Kjit:
    def __init__(self, path, device):
        self.library = ctypes.CDLL(path)
        self.library.kjit_error_message.restype = ctypes.c_char_p
        self.library.kjit_dtype_name.restype = ctypes.c_char_p
        assert self.library.kjit_dtype_name(FLOAT32) == b"float32"
        options = OpenOptions(ctypes.sizeof(OpenOptions), device.encode(), 0)
        self.context, module, self.kernel = (ctypes.c_void_p() for _ in range(3))
        self("kjit_open", ctypes.byref(options), ctypes.byref(self.context))
        self("kjit_load_source", self.context, TEXT, b"axpy.k", None, ctypes.byref(module))
        self("kjit_get_kernel", module, b"axpy", ctypes.byref(self.kernel))

    def __call__(self, name, *args):
        if getattr(self.library, name)(*args) != 0:
            raise RuntimeError(f"{name}: {self.library.kjit_error_message().decode()}")

    def axpy(self, a, x, y, cuda_stream=None):
        """y += a * x, in the order of a CUDA stream, whose number PyTorch calls cuda_stream."""
        stream = ctypes.c_void_p()
        if cuda_stream is not None:
            self("kjit_stream_foreign", self.context, ctypes.c_void_p(cuda_stream),
                 ctypes.byref(stream))
        scalar = Arg(SCALAR, FLOAT32)
        scalar.number = a
        args = (Arg * 3)(scalar, x, y)
        rows, columns = y.array.shape[:2]
        config = LaunchConfig(ctypes.sizeof(LaunchConfig),
                              ((rows + 7) // 8, (columns + 31) // 32, 1), (8, 32, 1), 0, stream)
        try:
            self("kjit_launch", self.kernel, ctypes.byref(config), args, ctypes.c_size_t(3))
        finally:
            self.library.kjit_stream_close(stream)


def describe(pointer, shape, strides, flags):
    """A float32 array as an argument; strides in bytes."""
    arg = Arg(ARRAY)
    arg.array = Array(pointer, FLOAT32, len(shape), flags)
    arg.array.shape[:len(shape)] = shape
    arg.array.strides[:len(shape)] = strides
    return arg


def tensor(t):
    return describe(t.data_ptr(), tuple(t.shape), [4 * s for s in t.stride()], ON_DEVICE)


def current_context():
    context = ctypes.c_void_p()
    assert ctypes.CDLL("libcuda.so.1").cuCtxGetCurrent(ctypes.byref(context)) == 0
    return context.value


def checks(torch, kjit):
    """Yields what was looked at, and whether it was right."""
    x, y = torch.randn(1000, 700, device="cuda"), torch.randn(1000, 700, device="cuda")
    expected = y + 0.5 * x
    context, device, allocated = current_context(), torch.cuda.current_device(), \
        torch.cuda.memory_allocated()
    kjit.axpy(0.5, tensor(x), tensor(y), torch.cuda.current_stream().cuda_stream)
    yield "on the stream that is current", torch.allclose(y, expected)
    yield "the current context stays", current_context() == context
    yield "the current device stays", torch.cuda.current_device() == device
    yield "PyTorch's memory stays", torch.cuda.memory_allocated() == allocated

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        y = x @ torch.ones(700, 700, device="cuda")
        kjit.axpy(-1, tensor(x), tensor(y), stream.cuda_stream)
        z = 2 * y
    stream.synchronize()
    yield "between PyTorch's kernels on another stream", \
        torch.allclose(z, 2 * (x.sum(1, keepdim=True) - x), rtol=1e-2, atol=1)

    y = torch.zeros(350, 500, device="cuda")
    view = x.t()[::2, 500:]
    kjit.axpy(3, tensor(view), tensor(y), torch.cuda.current_stream().cuda_stream)
    yield "a view with strides", torch.allclose(y, 3 * view)

    y = torch.zeros(500, 350, device="cuda").t()  # a layout that nothing is compiled for yet
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="global"):
        kjit.axpy(2, tensor(x[:350, :500]), tensor(y), torch.cuda.current_stream().cuda_stream)
    graph.replay()
    torch.cuda.synchronize()
    yield "compiled and loaded while PyTorch records", torch.allclose(y, 2 * x[:350, :500])

    kjit.library.kjit_close(kjit.context)
    yield "PyTorch goes on when kjit's context is closed", bool((x + 1 > x).all())


def main():
    try:
        import torch
    except ImportError:
        print(f"{TESTS} skipped: there is no PyTorch")
        return 0
    if not torch.cuda.is_available():
        print(f"{TESTS} skipped: PyTorch sees no GPU")
        return 0
    torch.cuda.init()
    kjit = Kjit(sys.argv[1], f"cuda:{torch.cuda.current_device()}")
    passed = failed = 0
    for what, right in checks(torch, kjit):
        passed += right
        failed += not right
        if not right:
            print(f"torch_interop.py: {what}: wrong")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
