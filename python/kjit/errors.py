"""What kjit raises: libkjit's messages, by its statuses, as Python's and numba's exceptions."""
import builtins
import re

from kjit import _core


class Error(Exception):
    """What libkjit said, diagnostics included; `status` is its kjit_status."""
    status = None


class TypingError(Error, TypeError):
    """The kernel makes no sense for these types, or at all. numba's is none of Python's TypeErrors; what it raises
    where no signature fits is one."""


class UndefinedName(TypingError, NameError):
    """The kernel reads a name that nothing around it has."""


class UnsupportedError(Error, NotImplementedError):
    """What kjit has not; the message says what to write instead."""


class ArgumentError(Error, ValueError, TypeError):
    """The call is wrong: an argument, a name, a launch configuration."""


class OutOfMemoryError(Error, MemoryError):
    """No memory, here or on the device."""


class FileError(Error, OSError):
    """A file cannot be found, read, understood or written."""


class CudaSupportError(Error, RuntimeError):
    """No such device, driver, NVRTC or C compiler on this machine."""


class CudaAPIError(Error, RuntimeError):
    """The device refused or failed the launch."""


class InternalError(Error, RuntimeError):
    """A mistake in kjit itself, to be reported."""


# Names of numba's, for programs that catch or silence them; kjit gives no such warnings.
NumbaError = Error
CudaDriverError = CudaAPIError
LoweringError = UnsupportedNumbaFeature = TypingError


class NumbaWarning(Warning):
    pass


class NumbaPerformanceWarning(NumbaWarning):
    pass


class NumbaDeprecationWarning(NumbaWarning):
    pass


NumbaPendingDeprecationWarning = NumbaDeprecationWarning

KINDS = {
    _core.INVALID: TypingError,
    _core.ARGUMENT: ArgumentError,
    _core.MEMORY: OutOfMemoryError,
    _core.FILE: FileError,
    _core.NO_DEVICE: CudaSupportError,
    _core.LAUNCH: CudaAPIError,
    _core.BROKEN: CudaAPIError,
    _core.INTERNAL: InternalError,
    _core.UNSUPPORTED: UnsupportedError,
}


raised: dict = {}  # by file and line: classes of one's own that kernels raise there, and what stands for them


def own_fault(message):
    """The exception of a class of one's own that a kernel raised; None if it is none, or takes other arguments."""
    place = re.match(r"(.*?):(\d+):\d+: (\w+)", message)
    kind, stands = raised.get((place[1], int(place[2])), (None, None)) if place else (None, None)
    if kind is None or stands != place[3]:
        return None
    try:
        return kind(message[:place.start(3)] + kind.__name__ + message[place.end(3):])
    except TypeError:
        return None


def of_fault(message):
    """What a kernel reported under debug: `FILE:LINE:COLUMN: IndexError: ...`."""
    own = own_fault(message)
    if own is not None:
        return own
    found = re.search(r"(?:^|: )(\w+(?:Error|Exception|Iteration))\b", message, re.M)  # by lines: a traceback
    kind = found and getattr(builtins, found[1], None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        return kind(message)
    return Error(message)


def of_status(status, message):
    message = message[7:] if message.startswith("error: ") else message
    if status == _core.FAULT:
        return of_fault(message)
    error = KINDS.get(status, Error)(message)
    error.status = status
    return error
