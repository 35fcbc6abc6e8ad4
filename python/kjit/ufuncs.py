"""numba's vectorize and guvectorize, as kernels.

A function of scalars becomes a kernel that calls it for each element; one of arrays is called for each
place of the axes that its layout does not name. Arguments are broadcast as NumPy does.
"""
import functools
import re
import warnings

import numpy as np

from kjit import arrays, device, types
from kjit.dispatch import load_texts
from kjit.sources import Texts, function_of, with_captures

THREADS = 128
HEADER = "from numba import cuda\nfrom {module} import {name} as function\n\n\n{decorator}\ndef kernel({params}):\n"


def parsed(signature):
    """(result, arguments) of a signature: dtypes, or types of arrays, by kjit's names."""
    if isinstance(signature, types.Signature):
        return signature.return_type, signature.args
    if isinstance(signature, str):
        return parsed(types.evaluated(signature))
    if isinstance(signature, (tuple, list)):
        return None, tuple(map(types.of, signature))
    raise TypeError(f"{signature!r} is no signature")


def goes_into(value, dtype):
    """Is a number of Python's, or are an array's elements, given without loss? Python's numbers have no width."""
    if isinstance(value, (bool, int, float, complex)):
        kinds = "biufc" if isinstance(value, bool) else "iufc" if isinstance(value, int) else \
            "fc" if isinstance(value, float) else "c"
        return dtype.kind in kinds and (dtype.kind not in "iu" or isinstance(value, bool) or
                                        np.iinfo(dtype).min <= value <= np.iinfo(dtype).max)
    return np.can_cast(value.dtype, dtype)


def dtype_given(value):
    return np.dtype(value.dtype) if hasattr(value, "dtype") else np.asarray(value).dtype


def is_of(value, dtype):
    return dtype_given(value) == dtype


def written(out, dtype, shape):
    """What a kernel writes for `out`: that in another shape, or where it cannot be seen so an array apart, which is
    copied then."""
    rows = out.is_rows if isinstance(out, arrays.DeviceNDArray) else out.flags.c_contiguous
    apart = not rows or np.dtype(out.dtype) != dtype
    return np.empty(shape, dtype) if apart else out.reshape(shape), apart


class Elementwise:
    """What the two have in common: signatures, and kernels made of a device function's text."""

    def __init__(self, function, signatures, target="cpu"):
        functools.update_wrapper(self, function)
        self.py_func = function
        self.signatures = [parsed(signature) for signature in signatures]
        self.exactly = target == "cuda"  # whose signatures numba chooses in another way than NumPy does
        self._kernels = {}

    def kernel(self, key, params, body):
        """The kernel of that body, which calls `function`; kept by the key."""
        key = device.current(), key
        if key not in self._kernels:
            texts = Texts()
            module, name = texts.function(self.py_func)
            decorator = with_captures("@cuda.jit()", len(texts.captured)) if texts.captured else "@cuda.jit"
            text = HEADER.format(module=module, name=name, params=", ".join(params), decorator=decorator) + \
                "".join(f"    {line}\n" for line in body)
            rows = tuple(tuple(part.encode() for part in row) for row in texts.rows)
            self._kernels[key] = load_texts(device.current(), "kernel", f"<{self.__name__}>", text, rows,
                                            tuple(texts.captured))
        return self._kernels[key]

    def fitting(self, given, fits):
        """The signatures, with their dtypes, of which each argument fits."""
        rows = [(result, args, [types.dtype_of(getattr(arg, "dtype", arg)) for arg in args])
                for result, args in self.signatures]
        return [row for row in rows if len(row[2]) >= len(given) and all(map(fits, given, row[2]))]

    def chosen(self, given):
        """As NumPy does, the first signature that all arguments go into, or what the target prefers to that; without
        signatures, their dtypes as they are."""
        found = self.exactly and (self.fitting(given, is_of) or self.preferred(given)) or self.fitting(given, goes_into)
        if found:
            return found[0]
        if not self.signatures:
            return None, None, list(map(dtype_given, given))
        names = [str(getattr(value, "dtype", type(value).__name__)) for value in given]
        hint = "; a device array does not support .astype(): copy_to_host() first" if any(
            map(arrays.is_device_array, given)) else ""
        raise TypeError(f"{self.__name__}: no signature for ({', '.join(names)}); there are "
                        f"{', '.join(str(args) for _, args in self.signatures)}{hint}")


class Vectorized(Elementwise):
    """A function of scalars, called with arrays."""

    @property
    def nin(self):
        return self.py_func.__code__.co_argcount

    def preferred(self, given):
        """The only signature with the dtypes of the arrays, which numbers are converted for."""
        found = self.fitting(given, lambda value, dtype: isinstance(value, (int, float, complex, np.number)) or
                             is_of(value, dtype))
        return found if len(found) == 1 else []

    def __call__(self, *args, out=None, stream=0):
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__} takes {self.nin} arguments: {len(args)} were given")
        args = [arg if hasattr(arg, "shape") or isinstance(arg, (bool, int, float, complex)) else np.asarray(arg)
                for arg in map(arrays.adopted, args)]
        result, _, wanted = self.chosen(args)
        args = [arg if hasattr(arg, "shape") else np.asarray(arg) for arg in args]
        shape = np.broadcast_shapes(*(tuple(arg.shape) for arg in args))
        on_device = any(map(arrays.is_device_array, args))
        dtype = types.dtype_of(result) if result is not None else self.inferred(wanted)
        made = arrays.adopted(out) if out is not None else arrays.new(shape, dtype) if on_device else np.empty(shape, dtype)
        if tuple(made.shape) != shape:
            raise ValueError(f"out has the shape {tuple(made.shape)}, the arguments have {shape}")
        self.launch([self.flat(arg, kind, shape) for arg, kind in zip(args, wanted)], made, wanted, dtype, stream)
        return made if out is not None or on_device or shape else made[()]

    @staticmethod
    def flat(arg, dtype, shape):
        """The argument as one axis, or a scalar where it has one element for all."""
        if arrays.is_device_array(arg):
            if tuple(arg.shape) != shape or np.dtype(arg.dtype) != dtype:
                arg = arg.copy_to_host()
            elif arg.is_rows:
                return arg.reshape(-1)
            else:
                return arg.copy_to_host().ravel()
        if arg.size == 1:
            return dtype.type(arg.reshape(-1)[0])
        return np.ascontiguousarray(np.broadcast_to(arg, shape), dtype).reshape(-1)

    def launch(self, args, out, wanted, dtype, stream):
        if not out.size:
            return
        scalars = tuple(not hasattr(arg, "ndim") or not arg.ndim for arg in args)
        params = [f"a{i}" for i in range(len(args))]
        parts = [name if scalar else f"{name}[i]" for name, scalar in zip(params, scalars)]
        body = ["i = cuda.grid(1)", "if i < out.size:", f"    out[i] = function({', '.join(parts)})"]
        kernel = self.kernel((scalars, tuple(map(str, wanted))), [*params, "out"], body)
        target, apart = written(out, dtype, (out.size,))
        kernel[-(-out.size // THREADS), THREADS, stream](*args, target)
        if apart:
            out[...] = target.reshape(out.shape)

    def inferred(self, wanted):
        """The dtype of the result, where no signature says it: as Python computes it."""
        with np.errstate(all="ignore"):
            return np.asarray(self.py_func(*(np.ones((), dtype)[()] for dtype in wanted))).dtype

    def reduce(self, array, axis=0, init=None, stream=0):
        """All elements of a 1-D array by the function of two."""
        from kjit.reduction import Reduce
        if self.nin != 2 or len(array.shape) != 1:
            raise NotImplementedError(f"{self.__name__}.reduce(): of functions of two, along one axis")
        if not hasattr(self, "_reduce"):
            self._reduce = Reduce(self.py_func)
        total = self._reduce.reduced(array if arrays.is_device_array(array) else arrays.to_device(array), stream)
        first = total.copy_to_host()[0]
        return first if init is None else self.py_func(init, first)

    def __getattr__(self, name):
        if name in ("accumulate", "reduceat", "outer", "at"):
            raise NotImplementedError(f"{self.__name__}.{name}(): write a kernel")
        raise AttributeError(name)


def widthless(arg):
    """An argument of a gufunc: of a scalar of the host's the value counts, not the dtype."""
    return arg.item() if isinstance(arg, (np.generic, np.ndarray)) and not arg.shape and arg.dtype.kind in "biufc" else arg


def arguments_text(count):
    return f"{count} positional argument{'s' * (count != 1)}"


LAYOUT = re.compile(r"\(([\w,\s]*)\)")


class Generalized(Elementwise):
    """A function of arrays, called for each place of the axes that its layout leaves out."""

    def __init__(self, function, signatures, layout, target="cpu"):
        super().__init__(function, signatures, target)
        for result, args in self.signatures:
            if result not in (None, types.void):
                raise TypeError(f"guvectorized functions cannot return values: signature {types.Signature(result, args)} "
                                f"specifies {result} return type")
        ins, _, outs = layout.partition("->")
        self.inputs, self.outputs = ([tuple(name.strip() for name in axes.split(",") if name.strip())
                                      for axes in LAYOUT.findall(side)] for side in (ins, outs))
        if len(self.inputs) + len(self.outputs) != function.__code__.co_argcount:
            raise TypeError(f"{self.__name__} has {function.__code__.co_argcount} parameters, the layout {layout!r} "
                            f"{len(self.inputs) + len(self.outputs)}")

    def __call__(self, *args, out=None, stream=0):
        count = len(self.inputs)
        if len(args) not in (count, count + len(self.outputs)):
            raise TypeError(f"gufunc accepts {arguments_text(count)} (when providing input only) or "
                            f"{arguments_text(count + len(self.outputs))} (when providing input and output). "
                            f"Got {arguments_text(len(args))}.")
        if out is not None and len(args) > count:
            raise ValueError("cannot specify argument 'out' as both positional and keyword")
        given = args[count:] or (() if out is None else out if isinstance(out, tuple) else (out,))
        given = tuple(map(arrays.adopted, given))
        inputs = [arg if hasattr(arg, "shape") else np.asarray(arg) for arg in map(arrays.adopted, args[:count])]
        _, kinds, wanted = self.chosen(inputs)
        extents, outer = self.measure(inputs)
        shapes = [outer + self.extents_of(names, extents) for names in self.outputs]
        on_device = any(map(arrays.is_device_array, (*inputs, *given)))
        if not self.signatures:
            raise TypeError(f"{self.__name__}: guvectorize takes signatures")
        flat = [self.flat(arg, dtype, outer, names, kind)
                for arg, dtype, names, kind in zip(inputs, wanted, self.inputs, kinds)]
        made = list(given) or [(arrays.new if on_device else np.empty)(shape, dtype)
                               for shape, dtype in zip(shapes, wanted[count:])]
        self.launch(flat, made, kinds, wanted, outer, stream)
        return made[0] if len(made) == 1 else tuple(made)

    def fitting(self, given, fits):
        return super().fitting(list(map(widthless, given)) if fits is goes_into else given, fits)

    def preferred(self, given):
        """Those whose dtypes all go into what is given, which the host's arrays are converted to."""
        return self.fitting(given, lambda value, dtype: is_of(value, dtype) or not arrays.is_device_array(value) and
                            np.can_cast(dtype, dtype_given(value)))

    def measure(self, inputs):
        """Extents by their names, and the shape of what is broadcast."""
        extents, outers = {}, []
        for number, (arg, names) in enumerate(zip(inputs, self.inputs)):
            inner = tuple(arg.shape)[len(arg.shape) - len(names):]
            if len(inner) != len(names):
                raise ValueError(f"{self.__name__}: argument {number} has {len(arg.shape)} axes, its layout "
                                 f"({', '.join(names)}) more")
            for name, extent in zip(names, inner):
                if extents.setdefault(name, extent) != extent:
                    raise ValueError(f"{self.__name__}: argument {number} has {extent} along {name}, another "
                                     f"{extents[name]}")
            outers.append(tuple(arg.shape)[:len(arg.shape) - len(names)])
        return extents, np.broadcast_shapes(*outers)

    def extents_of(self, names, extents):
        missing = [name for name in names if name not in extents]
        if missing:
            raise ValueError(f"{self.__name__}: no input has {', '.join(missing)}: give the outputs")
        return tuple(extents[name] for name in names)

    @staticmethod
    def flat(arg, dtype, outer, names, kind):
        """The argument with one axis for all that is broadcast."""
        inner = tuple(arg.shape)[len(arg.shape) - len(names):] or (() if not isinstance(kind, types.Array) else (1,))
        if arrays.is_device_array(arg):
            if np.dtype(arg.dtype) == dtype and arg.is_rows and tuple(arg.shape) == outer + tuple(arg.shape)[len(outer):]:
                return arg.reshape((-1, *inner))
            arg = arg.copy_to_host()
        shape = outer + tuple(arg.shape)[len(arg.shape) - len(names):]
        return np.ascontiguousarray(np.broadcast_to(arg, shape), dtype).reshape((-1, *inner))

    def launch(self, inputs, outputs, kinds, wanted, outer, stream):
        count = int(np.prod(outer))
        if not count:
            return
        params = [f"a{i}" for i in range(len(inputs) + len(outputs))]
        body = ["i = cuda.grid(1)", "if i < a0.shape[0]:", f"    function({', '.join(f'{name}[i]' for name in params)})"]
        if not inputs:
            raise NotImplementedError(f"{self.__name__}: a layout without inputs: write a kernel")
        kernel = self.kernel(tuple(map(str, wanted)), params, body)
        targets = []
        for out, dtype, names in zip(outputs, wanted[len(inputs):], self.outputs):
            inner = tuple(out.shape)[len(out.shape) - len(names):] or (1,)
            targets.append(written(out, dtype, (count, *inner)))
        kernel[-(-count // THREADS), THREADS, stream](*inputs, *(target for target, _ in targets))
        for out, (target, apart) in zip(outputs, targets):
            if apart:
                out[...] = target.reshape(out.shape)


def options_of(options, elementwise=False):
    if not options.get("nopython", True):
        raise TypeError("nopython flag must be True")
    if "nopython" in options and options.get("target") == "cuda":
        warnings.warn("nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=3)
    wrong = sorted(set(options) - {"target", "nopython", "cache", "identity", "fastmath", "writable_args", "forceobj"})
    if wrong and elementwise:
        raise KeyError(f"Unrecognized options: {', '.join(wrong)}")
    if wrong:
        raise TypeError(f"The following target options are not supported: {', '.join(wrong)}")


def vectorize(ftylist_or_function=(), **options):
    """numba's vectorize: a decorator, bare or with a list of signatures. Every target is the device that is current."""
    options_of(options, True)
    if function_of(ftylist_or_function):
        return Vectorized(function_of(ftylist_or_function), ())
    signatures = ftylist_or_function if isinstance(ftylist_or_function, (list, tuple)) else [ftylist_or_function]
    return lambda function: Vectorized(function_of(function), signatures, options.get("target"))


def guvectorize(ftylist, signature=None, **options):
    """numba's guvectorize: signatures, and a layout as "(m,n),(n)->(m)"."""
    options_of(options)
    if signature is None:
        raise TypeError("guvectorize takes signatures and a layout")
    signatures = ftylist if isinstance(ftylist, list) else [ftylist]
    return lambda function: Generalized(function_of(function), signatures, signature, options.get("target"))
