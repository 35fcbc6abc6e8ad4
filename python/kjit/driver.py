"""Devices, contexts, streams and events in numba's way."""
import contextlib
import functools
from collections import namedtuple

from kjit import _core, device
from kjit.errors import CudaSupportError


# ---- streams and events --------------------------------------------------------------------------


class Stream:
    """A queue of work; made when work first comes, so that it can be made before a device is opened."""

    def __init__(self, kind="new", number=0):
        self._kjit_stream = _core.Stream(device.current(), kind, number)
        self.kind = kind

    @property
    def handle(self):
        return self._kjit_stream.handle

    def synchronize(self):
        self._kjit_stream.synchronize()

    def query(self):
        return self._kjit_stream.query()

    @contextlib.contextmanager
    def auto_synchronize(self):
        yield self
        self.synchronize()

    def add_callback(self, callback, arg=None):
        raise NotImplementedError("Stream.add_callback(): synchronize() the stream, then call the function")

    def async_done(self):
        raise NotImplementedError("Stream.async_done(): await asyncio.to_thread(stream.synchronize)")

    def __cuda_stream__(self):
        return 0, self.handle

    def __int__(self):
        return self.handle

    def __repr__(self):
        return f"<kjit {self.kind} stream>"


class Event:
    """A point in a stream's work."""

    def __init__(self, timing=True):
        self._event = _core.Event(device.current(), timing)

    def record(self, stream=0):
        self._event.record(stream)

    def wait(self, stream=0):
        self._event.wait(stream)

    def synchronize(self):
        self._event.synchronize()

    def query(self):
        return self._event.query()

    def elapsed_time(self, event):
        """Milliseconds from this event to a later one."""
        return self._event.elapsed(event._event)


def stream():
    """A new stream: what is given to it runs in order, beside other streams."""
    return Stream()


def default_stream():
    """The stream that launches take which name none."""
    return Stream("default")


legacy_default_stream = default_stream


def per_thread_default_stream():
    """CUDA's default stream of the calling thread."""
    return Stream("thread")


def external_stream(ptr):
    """The stream of another library, by its address."""
    return Stream("foreign", ptr)


def event(timing=True):
    """A new event, for Event.record(); two of them measure a time."""
    return Event(timing)


def event_elapsed_time(evtstart, evtend):
    """Milliseconds between two recorded events."""
    return evtstart.elapsed_time(evtend)


# ---- devices -------------------------------------------------------------------------------------


def arch_numbers(arch):
    """(9, 0) of sm_90; of the processor what a program asks for at most."""
    return (int(arch[3:-1]), int(arch[-1])) if arch.startswith("sm_") else (9, 0)


class Device:
    """A GPU, or the processor that stands for one; `with` makes it the current device."""

    def __init__(self, name):
        self.kjit_name = name

    @property
    def kjit_context(self):
        return device.opened(self.kjit_name)

    @property
    def context(self):
        return DeviceContext(self)

    def get_primary_context(self):
        return DeviceContext(self)

    @property
    def id(self):
        number = self.kjit_context.device.partition(":")[2]
        return int(number) if number else 0

    @property
    def name(self):
        return self.kjit_context.model

    @property
    def compute_capability(self):
        return arch_numbers(self.kjit_context.facts()["arch"])

    def __getattr__(self, name):
        facts = {"MAX_THREADS_PER_BLOCK": "block_threads", "WARP_SIZE": "warp", "MULTIPROCESSOR_COUNT": "processors",
                 "MAX_SHARED_MEMORY_PER_BLOCK": "static_shared", "TOTAL_MEMORY": "memory_bytes",
                 "MAX_REGISTERS_PER_BLOCK": "block_registers", "L2_CACHE_SIZE": "l2_bytes",
                 "MAX_THREADS_PER_MULTI_PROCESSOR": "resident_threads"}
        axes = {f"MAX_{what.upper()}_DIM_{axis}": (f"max_{what}", i) for what in ("block", "grid")
                for i, axis in enumerate("XYZ")}
        if name in facts:
            return self.kjit_context.facts()[facts[name]]
        if name in axes:
            return self.kjit_context.facts()[axes[name][0]][axes[name][1]]
        raise AttributeError(f"a device of kjit has no {name}")

    supports_float16 = supports_bfloat16 = True

    def reset(self):
        self.kjit_context.reset()

    def __enter__(self):
        self.before = device.current().device
        device.use(self.kjit_name)
        return self

    def __exit__(self, *_):
        device.use(self.before)

    def __repr__(self):
        return f"<kjit device {self.kjit_name}: {self.name}>"


MemoryInfo = namedtuple("MemoryInfo", "free total")


class DeviceContext:
    """What current_context() gives."""

    def __init__(self, of):
        self.device = of

    def synchronize(self):
        self.device.kjit_context.synchronize()

    def get_memory_info(self):
        memory = self.device.kjit_context.memory()
        return MemoryInfo(memory["free"], memory["total"])

    def reset(self):
        self.device.reset()

    def create_stream(self):
        return Stream()

    def create_external_stream(self, ptr):
        return Stream("foreign", ptr)

    def get_default_stream(self):
        return Stream("default")

    get_legacy_default_stream = get_default_stream

    def get_per_thread_default_stream(self):
        return Stream("thread")

    def create_event(self, timing=True):
        return Event(timing)

    def push(self):
        device.use(self.device.kjit_name)

    def pop(self):
        pass

    def __enter__(self):
        self.push()
        return self

    def __exit__(self, *_):
        self.pop()


def current_device():
    return Device(device.current().device)


class Gpus:
    """cuda.gpus: all of them, or the one device that stands for them."""

    def names(self):
        here = device.current().device
        return [f"cuda:{i}" for i in range(_core.gpu_count())] if here.startswith("cuda") else [here]

    @property
    def lst(self):
        return [Device(name) for name in self.names()]

    @property
    def current(self):
        return current_device()

    def __len__(self):
        return len(self.names())

    def __iter__(self):
        return iter(self.lst)

    def __getitem__(self, index):
        return Device(self.names()[index])


gpus = Gpus()


def is_available():
    """Is there a device? Without a GPU the processor runs kernels."""
    try:
        device.current()
    except CudaSupportError:
        return False
    return True


def list_devices():
    """The devices, as cuda.gpus."""
    return gpus


def select_device(device_id):
    """Has the device of this number run what is launched from now on."""
    names = gpus.names()
    if not 0 <= device_id < len(names):
        raise CudaSupportError(f"there is no device {device_id}: the last one is {len(names) - 1}")
    device.use(names[device_id])
    return current_device()


def get_current_device():
    """The device that launches run on."""
    return current_device()


def current_context(devnum=None):
    """The context of the current device, or of that of a number."""
    return DeviceContext(Device(gpus.names()[devnum]) if devnum is not None else current_device())


def close():
    """Lets go of all devices: each closes when nothing of it is used any more."""
    device.drop()


def synchronize():
    """Waits until all that the current device was given is done."""
    device.current().synchronize()


def detect():
    """Prints the devices; False if there is none."""
    found = gpus.lst
    kind = "CUDA " if found[0].kjit_name.startswith("cuda") else ""
    print(f"Found {len(found)} {kind}devices")
    for number, one in enumerate(found):
        print(f"id {number}    {one.name:>30}    [{'SUPPORTED'}]")
        print(f"    {'Compute Capability':>30}: {'.'.join(map(str, one.compute_capability))}"
              if one.kjit_name.startswith("cuda") else f"    {'the processor, as a device':>30}")
    print(f"Summary:\n\t{len(found)}/{len(found)} devices are supported")
    return bool(found)


def require_context(function):
    """Decorates a function that wants a device to be open."""
    @functools.wraps(function)
    def opened(*args, **words):
        device.current()
        return function(*args, **words)

    return opened


@contextlib.contextmanager
def defer_cleanup():
    """Memory goes when nothing uses it any more: there is nothing to defer."""
    yield


@contextlib.contextmanager
def pinned(*arrays):
    """Copies of these arrays are the faster the longer they are: kjit stages them as it is."""
    yield


@contextlib.contextmanager
def profiling():
    """Not there: run the program under nsys profile."""
    raise NotImplementedError("cuda.profiling(): run the program under nsys profile, or measure by kjit bench")
    yield


def profile_start():
    """Not there: run the program under nsys profile."""
    raise NotImplementedError("cuda.profile_start(): run the program under nsys profile, or measure by kjit bench")


def profile_stop():
    """Not there: run the program under nsys profile."""
    raise NotImplementedError("cuda.profile_stop(): run the program under nsys profile, or measure by kjit bench")
