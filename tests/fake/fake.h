/* A CUDA driver and an NVRTC that only pretend, and what tests may ask of them.
**
** tests/fake/ makes libcuda.so.1 and libnvrtc.so.13, which the library loads when KJIT_DRIVER and
** KJIT_NVRTC name them. They have every function of runtime/cuda/cuda_api.def and nvrtc_api.def,
** keep the driver's rules and note who breaks them. Device memory is memory of the host, in a
** table; "machine code" is the CUDA C itself; a launch calls what the test has registered under the
** kernel's name, once for the whole grid. So all of the library's CUDA path runs anywhere, and any
** of its calls can be made to fail.
**
** Two GPUs like the H200. Environment, for tests of the command:
**     FAKE_CUDA_VERSION   what cuDriverGetVersion() says (13000)
**     FAKE_CUDA_DEVICES   how many GPUs there are (2)
**     FAKE_CUDA_FAIL      N:CODE, the N-th call fails so; CALL:N:CODE, the N-th call of that name
**     FAKE_CUDA_EVENTS    a file to which every event is appended, a line each
**     FAKE_CUDA_RUNS      a command that makes code of the processor of CUDA C, which launches run:
**                         tests/emulated/text.py
**     FAKE_NVRTC_VERSION  what nvrtcVersion() says (13.0)
**     FAKE_NVRTC_FAIL     as FAKE_CUDA_FAIL
** Beside it, libnvidia-ml.so.1 is a pretended NVML, for KJIT_NVML: libnvidia_ml.c; and libnccl.so.2
** a pretended NCCL among processes of one host, for KJIT_NCCL: libnccl.c.
** Functions are safe from any thread unless they say otherwise. Calls are named as in NVIDIA's
** documentation, without a version behind them: "cuMemAlloc". */
#ifndef KJIT_TESTS_FAKE_H
#define KJIT_TESTS_FAKE_H

#include <stdbool.h>
#include <stddef.h>

/* ---- kernels -------------------------------------------------------------------------- */

typedef struct FakeLaunch {
    const char *kernel;
    unsigned grid[3], block[3];
    size_t shared;
    void *const *params; /* as codegen/codegen.h lists them, device pointers being usable here */
    int param_count;
} FakeLaunch;

typedef void FakeKernel(const FakeLaunch *launch);

/* What a launch of the kernel does from now on; NULL: nothing, which is what unknown ones do. */
void fake_cuda_kernel(const char *name, FakeKernel *function);
/* The most threads that a block of the kernel can have, as if it used too many registers, unless
** it is compiled for larger ones; 0: 1024. */
void fake_cuda_most_threads(const char *name, int threads);
/* To be called by a kernel: it has faulted so, which whoever asks next is told. */
void fake_cuda_break(int code);
/* From now on work that streams are given is left for later, until it is waited for; or not.
** So what is not waited for is not there, and memory that goes too early is found. */
void fake_cuda_lazy(bool on);
/* From now on a context that broke stays so, even when it is reset or retained anew, as the drivers
** of release 580 have it; or not, and those that are broken are not any more. */
void fake_cuda_keep_broken(bool on);
/* How often the kernel has run. */
long fake_cuda_launches(const char *name);

/* ---- failures ------------------------------------------------------------------------- */

/* The n-th call from now fails with the code; 0: none does. A call that gives something back does
** so nevertheless. Codes that end a context in CUDA (700) do that here. */
void fake_cuda_fail(long n, int code);
/* The n-th call of that name from now. */
void fake_cuda_fail_at(const char *call, long n, int code);
/* The name of the call that failed last on demand; "" if none did since it was demanded. */
const char *fake_cuda_failed(void);
/* How much memory a device has. */
void fake_cuda_capacity(int device, size_t bytes);

/* From now on other code records a stream, which calls of a thread end that does not say that it
** stays apart; that is then a rule broken. */
void fake_cuda_recorded_elsewhere(bool on);

/* Of NVRTC. */
void fake_nvrtc_fail(long n, int code);
const char *fake_nvrtc_failed(void);

/* ---- what happened -------------------------------------------------------------------- */

/* How often a function was called; NULL: all together. */
long fake_cuda_calls(const char *call);
/* From now on events are noted, or not. */
void fake_cuda_record(bool on);
/* The events since they were last asked for, "alloc 4096\nlaunch add 1x1x1 64x1x1\n". Good
** until the next time; one thread at a time. */
const char *fake_cuda_events(void);
/* Bytes of device memory that are allocated now. */
size_t fake_cuda_bytes(int device);
/* Handles and memory that are there now, or were when their context ended; not those that a
** failure ended. */
int fake_cuda_leaks(void);
/* How often a rule was broken, and how the last time: handles that are gone, pointers that are
** none, calls without a context. */
int fake_cuda_misuses(void);
const char *fake_cuda_misuse(void);
/* How many contexts the calling thread has pushed and not popped. */
int fake_cuda_depth(void);
/* Forgets counts, notes, demands for failures, and all that is still there. */
void fake_cuda_forget(void);

/* The same of NVRTC. */
long fake_nvrtc_calls(const char *call);
int fake_nvrtc_leaks(void);
void fake_nvrtc_forget(void);

#endif
