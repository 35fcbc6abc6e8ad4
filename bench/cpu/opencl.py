"""Kernels in OpenCL C on the processor, which is PoCL's, by ctypes: as much of OpenCL as that needs."""
import ctypes

import numpy as np

CPU, USE_HOST_PTR, BUILD_LOG, DEVICE_NAME, PLATFORM_VERSION = 2, 8, 0x1183, 0x102B, 0x901


class Failed(Exception):
    pass


class OpenCL:
    def __init__(self, text):
        try:
            self.library = ctypes.CDLL("libOpenCL.so.1")
        except OSError:
            raise Failed("not installed") from None
        self.library.clCreateContext.restype = ctypes.c_void_p
        self.library.clCreateCommandQueue.restype = ctypes.c_void_p
        self.library.clCreateProgramWithSource.restype = ctypes.c_void_p
        self.library.clCreateKernel.restype = ctypes.c_void_p
        self.library.clCreateBuffer.restype = ctypes.c_void_p
        self.device, self.version = self.find()
        self.context = self.make("clCreateContext", None, 1, ctypes.byref(self.device), None, None)
        self.queue = self.make("clCreateCommandQueue", self.context, self.device,
                               ctypes.c_ulonglong(0))
        source = ctypes.c_char_p(text.encode())
        self.program = self.make("clCreateProgramWithSource", self.context, 1,
                                 ctypes.byref(source), None)
        status = self.library.clBuildProgram(self.program, 1, ctypes.byref(self.device), None, None,
                                             None)
        if status:
            raise Failed(f"the program does not build: {self.log()}")

    def find(self):
        platforms, count = (ctypes.c_void_p * 16)(), ctypes.c_uint()
        self.library.clGetPlatformIDs(16, platforms, ctypes.byref(count))
        for platform in platforms[:count.value]:
            device = ctypes.c_void_p()
            if self.library.clGetDeviceIDs(ctypes.c_void_p(platform), ctypes.c_ulonglong(CPU), 1,
                                           ctypes.byref(device), None) == 0:
                version = ctypes.create_string_buffer(256)
                self.library.clGetPlatformInfo(ctypes.c_void_p(platform), PLATFORM_VERSION,
                                               ctypes.c_size_t(256), version, None)
                return device, version.value.decode()
        raise Failed("no OpenCL device is a processor")

    def make(self, name, *args):
        status = ctypes.c_int()
        made = getattr(self.library, name)(*args, ctypes.byref(status))
        if status.value:
            raise Failed(f"{name} fails with {status.value}")
        return ctypes.c_void_p(made)

    def log(self):
        text = ctypes.create_string_buffer(4000)
        self.library.clGetProgramBuildInfo(self.program, self.device, BUILD_LOG,
                                           ctypes.c_size_t(4000), text, None)
        return text.value.decode(errors="replace").strip()[:300]

    def check(self, name, *args):
        status = getattr(self.library, name)(*args)
        if status:
            raise Failed(f"{name} fails with {status}")

    def launcher(self, name, grid, block, values):
        """A function that launches and waits. Arrays (NumPy's) are used where they lie."""
        kernel = self.make("clCreateKernel", self.program, name.encode())
        buffers = []
        for i, value in enumerate(values):
            if isinstance(value, np.ndarray):
                value = self.make("clCreateBuffer", self.context, ctypes.c_ulonglong(USE_HOST_PTR),
                                  ctypes.c_size_t(value.nbytes), ctypes.c_void_p(value.ctypes.data))
                buffers.append(value)
            self.check("clSetKernelArg", kernel, i, ctypes.c_size_t(ctypes.sizeof(value)),
                       ctypes.byref(value))
        total = (ctypes.c_size_t * 3)(*(g * b for g, b in zip(grid, block)))
        local = (ctypes.c_size_t * 3)(*block)

        def run():
            self.check("clEnqueueNDRangeKernel", self.queue, kernel, 3, None, total, local, 0, None,
                       None)
            self.check("clFinish", self.queue)

        def close():
            for buffer in buffers:
                self.library.clReleaseMemObject(buffer)
            self.library.clReleaseKernel(kernel)
        run.close = close
        return run
