"""Functions of Python's as kernels: what cuda.jit() gives."""
import functools
import types as python_types

from kjit import _core, device
from kjit.sources import function_of, write
from kjit.types import (Array, Signature, Tuple, dtype_of, of as type_of, parsed_args as parsed, signature_text,
                        typeof, void)

# Of numba's options and kjit's own: those that a .k file's decorator takes as they stand.
OPTIONS = ("debug", "opt", "fastmath", "max_registers", "launch_bounds", "lineinfo", "inline", "forceinline", "lto",
           "cache", "shared_memory_carveout", "deterministic", "typing", "reassociate", "matmul")
REFUSED = {
    "extensions": "kernels take what has __cuda_array_interface__, __dlpack__ or the buffer protocol: give "
                  "your classes one of them",
    "boundscheck": "write debug=True, which looks at indices",
    "argtypes": "write a signature: @cuda.jit(\"void(float32[:])\")",
    "restype": "write a signature: @cuda.jit(\"float32(float32)\", device=True)",
    "bind": "kernels bind when they are launched",
    "target": "it is always cuda",
}


def load_texts(context, name, file, text, others):
    """The kernel of some texts, loaded once."""
    key = context, name, file, text, others
    module = device.modules.get(key)
    if module is None:
        module = context.load(file, text, None, others, False, False, 0, None)
        device.keep(key, module)
    kernel = module.kernel(name)
    kernel.prints = "print(" in text or any(b"print(" in row[2] for row in others)
    return kernel


MOST_BLOCKS = 2**31 - 1


def sample(kind):
    """An argument of a type."""
    if isinstance(kind, Tuple):
        return tuple(map(sample, kind.types))
    if isinstance(kind, Array):
        import numpy as np
        whole = np.zeros((2,) * kind.ndim, dtype_of(kind.dtype), order="F" if kind.layout == "F" else "C")
        return whole if kind.layout != "A" else np.zeros((4,) * kind.ndim, whole.dtype)[(slice(None, None, 2),) * kind.ndim]
    return kind(0)


class Overload:
    """A kernel for arguments of given types."""

    def __init__(self, kernel, args):
        self.kernel, self.args = kernel, args

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """How many blocks of that size may wait for one another."""
        block = (*(blockdim if isinstance(blockdim, tuple) else (blockdim,)), 1, 1)[:3]
        facts = self.kernel.facts_for(tuple(map(sample, self.args)), block, dynsmemsize)
        return facts["device_blocks"] or MOST_BLOCKS  # on the processor any number may


class Overloads(dict):
    """Of a dispatcher: for whatever types it is asked, compiled then."""

    def __init__(self, dispatcher):
        super().__init__({parsed(signature): None for signature in dispatcher.declared})
        self.dispatcher = dispatcher

    def __missing__(self, args):
        args = args.args if isinstance(args, Signature) else tuple(map(type_of, args))
        return Overload(self.dispatcher.make_kernel(), args)

    def __getitem__(self, args):
        return super().get(args) or self.__missing__(args)

    def values(self):
        return [self[args] for args in self]

    def items(self):
        return [(args, self[args]) for args in self]


class Dispatcher(_core.Dispatcher):
    """A function, and the kernels that were made of it for arguments of given types."""

    def __new__(cls, *_, **__):
        return super().__new__(cls)

    def __init__(self, function, signatures=(), is_device=False, options=None, links=()):
        functools.update_wrapper(self, function)
        self.py_func, self.is_device, self.links = function, is_device, links
        self.declared, self.targetoptions = list(signatures), dict(options or {})
        self.eager = None
        code = function.__code__
        self.param_count = -1 if code.co_flags & 4 or code.co_kwonlyargcount else code.co_argcount
        if signatures and not is_device:
            self.compile_declared()

    # ---- the text ------------------------------------------------------------------------------

    def decorator(self, is_device=False):
        words = [repr(list(map(signature_text, self.declared)))] if self.declared else []
        words += [f"{name}={value!r}" for name, value in self.targetoptions.items()]
        words += ["device=True"] if is_device else []
        if self.links:
            words.append(f"link=[{', '.join(map(link_text, self.links))}]")
        return f"@cuda.jit({', '.join(words)})"

    def device_decorator(self):
        return self.decorator(is_device=True)

    def texts(self):
        return write(self.py_func, self.decorator())

    # ---- kernels -------------------------------------------------------------------------------

    def find_context(self):
        return device.current()

    def make_kernel(self, args=()):
        """The kernel as its surroundings are now, for arguments whose types are met with first."""
        if self.is_device:
            raise TypeError(f"{self.__name__} is a device function: kernels call it")
        if self.eager and self.eager[0] is device.current():
            return self.eager[1]
        return load_texts(device.current(), *self.texts())

    def compile_declared(self):
        context = device.current()
        kernel = load_texts(context, *self.texts())
        for signature in self.declared:
            kernel.compile(signature_text(signature))
        self.eager = context, kernel

    def compile(self, signature):
        """Compiles for a signature, as numba's eager compilation."""
        kernel = self.make_kernel()
        kernel.compile(signature_text(signature))
        return self

    def specialize(self, *args):
        """Compiles for arguments of these types."""
        return self.compile(tuple(map(typeof, args)))

    def recompile(self):
        """Reads what is around the function anew."""
        self.eager = None
        self.forget()
        if self.declared and not self.is_device:
            self.compile_declared()

    def arrange(self, args, words):
        """Arguments by position: from keywords, and defaults for those that are left out."""
        import inspect
        signature = inspect.signature(self.py_func, follow_wrapped=False)
        if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
            raise TypeError(f"{self.__name__}: a kernel takes no *args: give it a tuple")
        bound = signature.bind(*args, **(words or {}))
        bound.apply_defaults()
        return (*bound.args, *bound.kwargs.values())

    def __call__(self, *args, **words):
        if self.is_device:
            raise TypeError(f"{self.__name__} is a device function: kernels call it, the host cannot; "
                            f"{self.__name__}.py_func is the Python function")
        raise ValueError(f"a launch needs a configuration: {self.__name__}[blocks, threads](...), or "
                         f"{self.__name__}.forall(n)(...)")

    def __get__(self, instance, owner=None):
        return self if instance is None else python_types.MethodType(self, instance)

    def __repr__(self):
        return f"<kjit {'device function' if self.is_device else 'kernel'} {self.__qualname__}>"

    def configure(self, griddim, blockdim, stream=0, sharedmem=0):
        return self[griddim, blockdim, stream, sharedmem]

    # ---- what became of it ---------------------------------------------------------------------

    def facts(self):
        """A dict for each list of types that a kernel was compiled for."""
        kernels = self.kernels() or ([self.eager[1]] if self.eager else [])
        return [facts for kernel in dict.fromkeys(kernels) for facts in kernel.facts()]

    def _fact(self, name):
        found = self.facts()
        if not found:
            raise ValueError(f"{self.__name__} was not compiled yet: launch it, or compile() it")
        return found[0][name] if len(found) == 1 else {facts["call"]: facts[name] for facts in found}

    def get_regs_per_thread(self, signature=None):
        return self._fact("registers")

    def get_shared_mem_per_block(self, signature=None):
        return self._fact("shared_bytes")

    def get_const_mem_size(self, signature=None):
        return self._fact("constant_bytes")

    def get_local_mem_per_thread(self, signature=None):
        return self._fact("local_bytes")

    def get_max_threads_per_block(self, signature=None):
        return self._fact("max_threads")

    @property
    def signatures(self):
        return [facts["call"] for facts in self.facts()]

    @property
    def overloads(self):
        return Overloads(self)

    def inspect(self, stage, signature=None):
        """A stage of the compilation: ir, cuda, c, ptx, cubin, sass, remarks; {types: text} without a signature."""
        kernels = self.kernels() or ([self.eager[1]] if self.eager else [])
        if signature is not None:
            return self.make_kernel().emit(stage, signature_text(signature), None, "common")
        return {facts["call"]: kernel.emit(stage, facts["call"], None, "common")
                for kernel in dict.fromkeys(kernels) for facts in kernel.facts()}

    def inspect_llvm(self, signature=None):
        """kjit's IR, which stands where numba has LLVM's."""
        return self.inspect("ir", signature)

    def inspect_cuda(self, signature=None):
        return self.inspect("cuda", signature)

    def inspect_asm(self, signature=None):
        return self.inspect("ptx", signature)

    def inspect_sass(self, signature=None):
        return self.inspect("sass", signature)

    inspect_lto_ptx = inspect_asm  # there is nothing to link

    def __getattr__(self, name):
        if name in ("inspect_types", "inspect_sass_cfg"):
            raise NotImplementedError(f"{name}(): inspect(\"ir\"), inspect_cuda() and inspect_asm() show what becomes of it")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")


def link_text(link):
    text = getattr(link, "text", None)
    return f"cuda.CUSource({text!r})" if text is not None else repr(str(link))


def checked(options):
    """Options of the decorator's that are wanted."""
    for name, value in options.items():
        if name in REFUSED and value:
            raise NotImplementedError(f"cuda.jit({name}=...): {REFUSED[name]}")
        if name not in OPTIONS and name not in REFUSED:
            raise TypeError(f"cuda.jit() has no option {name!r}")
    return {name: value for name, value in options.items()
            if name in OPTIONS and value is not None and value is not False and not callable(value)}


def compile_ptx(pyfunc, sig, debug=None, lineinfo=False, device=False, fastmath=False, cc=None, opt=None, abi="c",
                abi_info=None, output="ptx", **_):
    """numba's cuda.compile(): a kernel as PTX, and the type of its result."""
    if device or output != "ptx":
        raise NotImplementedError("cuda.compile(): of kernels, to PTX; a device function is part of each kernel that "
                                  "calls it")
    kernel = Dispatcher(function_of(pyfunc), (), False, checked({"debug": debug, "lineinfo": lineinfo,
                                                                 "fastmath": fastmath, "opt": opt}))
    arch = f"sm_{cc[0]}{cc[1]}" if cc else None
    return kernel.make_kernel().emit("ptx", signature_text(sig), arch, None), void


def jit(func_or_sig=None, device=False, link=(), **options):
    """numba's cuda.jit: a decorator, bare or with signatures and options, or called with a function."""
    options = checked(options)
    links = list(link) if isinstance(link, (list, tuple)) else [link] if link else []
    function = None if isinstance(func_or_sig, str) else function_of(func_or_sig)
    if function:
        return Dispatcher(function, (), device, options, links)
    signatures = [] if func_or_sig is None else func_or_sig if isinstance(func_or_sig, list) else [func_or_sig]
    for signature in signatures:
        signature_text(signature)

    def decorate(thing):
        wrapped = function_of(thing)
        if wrapped is None:
            raise TypeError(f"cuda.jit of {thing!r}: it takes functions")
        return Dispatcher(wrapped, signatures, device, options, links)

    return decorate


