"""Functions of Python's as kernels: what cuda.jit() gives."""
import enum
import functools
import types as python_types

from kjit import _core, device
from kjit.foreign import link_list, link_text
from kjit.modules import schedule_text
from kjit.sources import function_of, write
from kjit.types import (Array, Signature, Tuple, Type, dtype_of, of as type_of, ours, parsed_args as parsed, signature_text,
                        typeof, types_of_call, void)

# Of numba's options and kjit's own: those that a .k file's decorator takes as they stand.
OPTIONS = ("debug", "opt", "fastmath", "max_registers", "launch_bounds", "lineinfo", "inline", "forceinline", "lto",
           "cache", "shared_memory_carveout", "deterministic", "typing", "reassociate", "matmul")
REFUSED = {
    "boundscheck": "write debug=True, which looks at indices",
    "argtypes": "write a signature: @cuda.jit(\"void(float32[:])\")",
    "restype": "write a signature: @cuda.jit(\"float32(float32)\", device=True)",
    "bind": "kernels bind when they are launched",
    "target": "it is always cuda",
}


def load_texts(context, name, file, text, others, captured=(), schedule=None):
    """The kernel of some texts, loaded once; it is given the captured arrays behind its arguments."""
    key = context, name, file, text, others, schedule
    module = device.modules.get(key)
    if module is None:
        module = context.load(file, text, None, others, False, False, 0, None, None, schedule)
        device.keep(key, module)
    kernel = module.kernel(name)
    kernel.prints = "print(" in text or any(b"print(" in row[2] for row in others)
    kernel.captured = captured or None
    return kernel


def whole_signature(kernel, signature):
    """Types of a kernel's arguments, and behind them those of the arrays that it captures."""
    if not kernel.captured:
        return signature_text(signature)
    from kjit.arrays import adopted
    return signature_text((*parsed(signature), *map(typeof, map(adopted, kernel.captured))))


MOST_BLOCKS = 2**31 - 1


def type_or_none(value):
    """numba's type of an argument; extensions are for those that have none, too."""
    try:
        return typeof(value)
    except (TypeError, AttributeError):
        return None


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

    def __init__(self, dispatcher, args):
        self.dispatcher, self.args = dispatcher, args
        self.signature = Signature(void, args)

    @property
    def kernel(self):
        return self.dispatcher.make_kernel()

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """How many blocks of that size may wait for one another."""
        block = (*(blockdim if isinstance(blockdim, tuple) else (blockdim,)), 1, 1)[:3]
        facts = self.kernel.facts_for(tuple(map(sample, self.args)), block, dynsmemsize)
        return facts["device_blocks"] or MOST_BLOCKS  # on the processor any number may

    @property
    def cooperative(self):
        """Do blocks wait for all others of the grid?"""
        return "grid_sync<" in self.inspect_llvm()

    def inspect_asm(self, cc=None):
        return self.dispatcher.inspect("ptx", self.args)

    def inspect_llvm(self):
        return self.dispatcher.inspect("ir", self.args)

    def inspect_sass(self):
        return self.dispatcher.inspect("sass", self.args)

    def __getattr__(self, name):
        if name not in FACTS_OF_NUMBA:
            raise AttributeError(f"an overload has no {name}")
        return self.dispatcher.fact(FACTS_OF_NUMBA[name], self.args)


FACTS_OF_NUMBA = {"regs_per_thread": "registers", "shared_mem_per_block": "shared_bytes", "const_mem_size":
                  "constant_bytes", "local_mem_per_thread": "local_bytes", "max_threads_per_block": "max_threads"}


class Overloads(dict):
    """Of a dispatcher, by types: what was declared or compiled, and whatever it is asked for, compiled then."""

    def __init__(self, dispatcher):
        super().__init__((args, Overload(dispatcher, args)) for args in dispatcher.known_types())
        self.dispatcher = dispatcher

    def __missing__(self, args):
        return Overload(self.dispatcher, parsed(args) if isinstance(args, (Signature, str)) else tuple(map(type_of, args)))


def is_named(arg):
    """Is it of a class that its parameter is written with: a namedtuple's, or an enumeration's?"""
    return isinstance(arg, enum.Enum) or isinstance(arg, tuple) and hasattr(type(arg), "_fields")


class Dispatcher(_core.Dispatcher):
    """A function, and the kernels that were made of it for arguments of given types."""

    def __new__(cls, *_, **__):
        return super().__new__(cls)

    def __init__(self, function, signatures=(), is_device=False, options=None, links=(), extensions=(), schedule=None):
        functools.update_wrapper(self, function)
        self.py_func, self.is_device, self.links = function, is_device, links
        self.declared, self.targetoptions = list(signatures), dict(options or {})
        self.eager, self.specializations, self.classes = None, {}, set()
        code = function.__code__
        self.param_count = -1 if code.co_flags & 4 or code.co_kwonlyargcount else code.co_argcount
        self.schedule = schedule
        self._extensions = list(extensions)
        self.pointed = pointers_of(signatures)
        if extensions or self.pointed:
            self.param_count = -1
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

    def texts(self, args=()):
        names = self.py_func.__code__.co_varnames
        classes = {name: type(arg) for name, arg in zip(names, args) if is_named(arg)}
        self.classes.update(classes.values())  # which stay, as kernels are found by where they lie
        return write(self.py_func, self.decorator(), classes)

    # ---- kernels -------------------------------------------------------------------------------

    def find_context(self):
        return device.current()

    def make_kernel(self, args=()):
        """The kernel as its surroundings are now, for arguments whose types are met with first."""
        if self.is_device:
            raise RuntimeError(f"Cannot compile a device function as a kernel: kernels call {self.__name__}")
        if self.eager and self.eager[0] is device.current():
            return self.eager[1]
        return load_texts(device.current(), *self.texts(args), self.schedule)

    def compile_declared(self):
        context = device.current()
        kernel = load_texts(context, *self.texts(), self.schedule)
        for signature in self.declared:
            kernel.compile(whole_signature(kernel, signature))
        self.eager = context, kernel

    def compile(self, signature):
        """Compiles for a signature, as numba's eager compilation."""
        kernel = self.make_kernel()
        kernel.compile(whole_signature(kernel, signature))
        return self

    @property
    def specialized(self):
        """Is it for arguments of one list of types alone?"""
        return len(self.declared) == 1

    def specialize(self, *args):
        """A kernel for arguments of these types alone; types stand for themselves."""
        if self.specialized:
            raise RuntimeError("Dispatcher already specialized")
        kinds = tuple(arg if isinstance(arg, Type) else typeof(arg) for arg in args)
        if kinds not in self.specializations:
            self.specializations[kinds] = Dispatcher(self.py_func, [kinds], self.is_device, self.targetoptions, self.links,
                                                    (), self.schedule)
        return self.specializations[kinds]

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
        try:
            bound = signature.bind(*args, **(words or {}))
        except TypeError as error:
            raise TypeError(f"{self.__name__}{signature}: {error}") from None
        bound.apply_defaults()
        return self.prepared((*bound.args, *bound.kwargs.values()))

    @property
    def extensions(self):
        """Objects whose prepare_args() may put other arguments in place of those given. Who asks for them may add one: from
        then on launches look for some."""
        self.param_count = -1
        return self._extensions

    def prepared(self, args):
        """Arguments as the extensions give them."""
        args = tuple(self.at(i, arg) for i, arg in enumerate(args))
        calls = []
        for extension in reversed(self._extensions):
            args = tuple(extension.prepare_args(type_or_none(arg), arg, stream=0, retr=calls)[1] for arg in args)
        if not calls:
            return args
        from kjit.arrays import Followed
        return (Followed(args[0], calls), *args[1:])

    def at(self, number, arg):
        """An argument, or the array at an address that is declared as one."""
        if number not in self.pointed or not isinstance(arg, int):
            return arg
        from kjit.arrays import at_address
        return at_address(arg, dtype_of(self.pointed[number]))

    def __call__(self, *args, **words):
        if self.is_device:
            raise TypeError(f"{self.__name__} is a device function: kernels call it, the host cannot; "
                            f"{self.__name__}.py_func is the Python function")
        raise ValueError(f"{self.__name__}: launch configuration was not specified: write {self.__name__}[blocks, threads]"
                         f"(...), or {self.__name__}.forall(n)(...)")

    def __get__(self, instance, owner=None):
        return self if instance is None else python_types.MethodType(self, instance)

    def __reduce__(self):
        """It is pickled by its name, as functions are."""
        return self.__qualname__

    def __repr__(self):
        return f"<kjit {'device function' if self.is_device else 'kernel'} {self.__qualname__}>"

    def configure(self, griddim, blockdim, stream=0, sharedmem=0):
        return self[griddim, blockdim, stream, sharedmem]

    # ---- what became of it ---------------------------------------------------------------------

    def made(self):
        """The kernels there are."""
        return self.kernels() or ([self.eager[1]] if self.eager else [])

    def facts(self):
        """A dict for each list of types that a kernel was compiled for, which a notebook draws as a table."""
        from kjit.shown import Facts
        return Facts({facts["call"]: facts for kernel in self.made() for facts in kernel.facts()}.values())

    def known_types(self):
        """The types of what was declared, and of what was compiled."""
        compiled = [types_of_call(facts["call"]) for facts in reversed(self.facts())]
        return list(dict.fromkeys([*map(parsed, self.declared), *compiled]))

    def fact(self, name, args=None):
        """One of the facts for arguments of such types; without these, {types: fact}, or of a specialized kernel's."""
        found = {types_of_call(facts["call"]): facts[name] for facts in self.facts()}
        if args is None and not self.specialized:
            return found
        args = parsed(args if args is not None else self.declared[0])
        if args not in found:
            self.compile(args)
            found = {types_of_call(facts["call"]): facts[name] for facts in self.facts()}
        return found.get(args, next(iter(found.values()), None))

    def get_regs_per_thread(self, signature=None):
        return self.fact("registers", signature)

    def get_shared_mem_per_block(self, signature=None):
        return self.fact("shared_bytes", signature)

    def get_const_mem_size(self, signature=None):
        return self.fact("constant_bytes", signature)

    def get_local_mem_per_thread(self, signature=None):
        return self.fact("local_bytes", signature)

    def get_max_threads_per_block(self, signature=None):
        return self.fact("max_threads", signature)

    @property
    def signatures(self):
        return self.known_types()

    nopython_signatures = property(lambda self: [Signature(void, args) for args in self.known_types()])

    @property
    def overloads(self):
        return Overloads(self)

    def inspect(self, stage, signature=None):
        """A stage of the compilation: ir, cuda, c, ptx, cubin, sass, remarks, schedule; {types: text} without a signature.
        A schedule is that of the current device."""
        arch = "cpu" if stage == "schedule" and not device.current().device.startswith("cuda") else None
        if signature is not None:
            kernel = self.make_kernel()
            return kernel.emit(stage, whole_signature(kernel, signature), arch, "common")
        calls = {facts["call"]: kernel for kernel in self.made() for facts in kernel.facts()}
        return {types_of_call(call): kernel.emit(stage, call, arch, "common") for call, kernel in calls.items()}

    def remarks(self, signature=None):
        """What the compiler says of the kernel for these types, or those it was compiled for last: a list of named tuples
        (file, line, column, text) that a notebook draws beside the source."""
        from kjit.shown import Remarks
        if signature is None:
            known = self.known_types()
            if not known:
                raise ValueError(f"{self.__name__} was not compiled yet: launch it, or say a signature")
            signature = known[-1]
        return Remarks(self.inspect("remarks", signature))

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


def pointers_of(signatures):
    """{number of a parameter: type of what lies there} of those that a signature declares as addresses."""
    kinds = [kind for signature in signatures if not isinstance(signature, str) or "CPointer" in signature
             for kind in enumerate(parsed(signature))]
    return {i: kind.pointee for i, kind in kinds if getattr(kind, "pointee", None)}


def check_bounds(bounds):
    if isinstance(bounds, (tuple, list)) and len(bounds) > 3:
        raise ValueError(f"Got {len(bounds)} launch bounds: {bounds!r}. There are up to three: the threads of a block, "
                         f"the blocks of a multiprocessor, those of a cluster")


def check_carveout(carveout):
    if isinstance(carveout, str) and carveout.lower() not in ("maxl1", "maxshared", "default"):
        raise ValueError(f"Invalid carveout value: {carveout!r}. It is \"MaxL1\", \"MaxShared\", \"default\", or a percentage")
    if isinstance(carveout, int) and not -1 <= carveout <= 100:
        raise ValueError(f"a carveout of {carveout}: as an integer it must be between -1 and 100")


def checked(options):
    """Options of the decorator's that are wanted."""
    for name, value in options.items():
        if name in REFUSED and value:
            raise NotImplementedError(f"cuda.jit({name}=...): {REFUSED[name]}")
        if name not in OPTIONS and name not in REFUSED:
            import difflib
            near = difflib.get_close_matches(name, OPTIONS, 1)
            raise TypeError(f"cuda.jit() has no option {name!r}{'; did you mean ' + repr(near[0]) + '?' if near else ''}")
    check_bounds(options.get("launch_bounds"))
    check_carveout(options.get("shared_memory_carveout"))
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


def jit(func_or_sig=None, device=False, link=(), extensions=(), schedule=None, **options):
    """numba's cuda.jit: a decorator, bare or with signatures and options, or called with a function. kjit's own `schedule`
    says how work is moved: directives as docs/schedules.md has them, or a file of these."""
    options, schedule = checked(options), schedule_text(schedule)
    links = link_list(link)
    function = None if isinstance(func_or_sig, str) else function_of(func_or_sig)
    if not function and callable(func_or_sig) and not isinstance(ours(func_or_sig), (Type, Signature)):
        raise TypeError(f"cuda.jit of {func_or_sig!r}: it takes functions that are written in Python")
    if function:
        return Dispatcher(function, (), device, options, links, extensions or (), schedule)
    signatures = [] if func_or_sig is None else func_or_sig if isinstance(func_or_sig, list) else [func_or_sig]
    for signature in signatures:
        signature_text(signature)

    def decorate(thing):
        wrapped = function_of(thing)
        if wrapped is None:
            raise TypeError(f"cuda.jit of {thing!r}: it takes functions that are written in Python")
        return Dispatcher(wrapped, signatures, device, options, links, extensions or (), schedule)

    return decorate


