/* NVIDIA's run-time compiler: found late, loaded only when something must be compiled. */
#ifndef KJIT_NVRTC_H
#define KJIT_NVRTC_H

#include "runtime/runtime.h"

/* Where NVRTC is, without loading it; "" if it has to be left to the loader. */
const char *nvrtc_path(void);
/* The names that its file may have, best first: of the driver's own generation, since machine code
** of a newer one may not load there. NULL ends them. */
const char *const *nvrtc_names(void);

/* Who would compile, for a cache key. The number counts what is done about its mistakes: what was
** made with less care is not taken from the cache. */
enum { NVRTC_CARE = 1 };
void nvrtc_identify(KeyState *key);

/* Loads it. KJIT_NO_DEVICE, with what to do, if there is none. */
kjit_status nvrtc_version(int *major, int *minor);

typedef enum NvrtcOutput { NVRTC_CUBIN, NVRTC_PTX } NvrtcOutput;

/* Bytes of registers' contents that machine code puts into memory for want of registers, and takes
** back; -1 where that is not known. */
typedef struct Spills {
    int64_t stores, loads;
} Spills;

/* Compiles CUDA C for `arch` ("sm_90"), to machine code or PTX, which ends in a NUL that counts.
** Where NVRTC does not know the architecture yet and `fallback` allows it, the result is PTX for
** the newest one it knows. `*image` is to be memory_free()d. `spills` may be NULL. */
kjit_status nvrtc_compile(const BuildRequest *request, const char *arch, NvrtcOutput output,
                          bool fallback, char **image, size_t *length, Spills *spills);

/* Whether machine code for `arch` (90) holds what ptxas mistakes: cubin.c. */
bool cubin_mistakes_clamps(const char *image, size_t length, int arch);

#endif
