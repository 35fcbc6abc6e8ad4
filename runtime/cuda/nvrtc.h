/* NVIDIA's run-time compiler, loaded only when something must be compiled. */
#pragma once

#include "runtime/runtime.h"

/* The path of NVRTC, found without loading it; "": only the loader may find it. */
const char *nvrtc_path(void);
/* The possible names of its file, best first: of the driver's own generation, since code of a newer
** one may not load. Ends with NULL. */
const char *const *nvrtc_names(void);

/* A file in the folder `lib` or `bin` of NVIDIA's wheels: beside kjit's own package, in virtual
** environments, in the user's packages and the system's. */
bool wheels_find(const char *folder, const char *name, char path[CACHE_PATH_MAX]);

/* Identifies the compiler in a cache key. NVRTC_CARE is a version of the workarounds for its bugs:
** entries made with fewer of them are not used. */
enum { NVRTC_CARE = 3 };
void nvrtc_identify(KeyState *key);

/* Loads it. KJIT_NO_DEVICE, with a remedy, if there is none. */
kjit_status nvrtc_version(int *major, int *minor);

typedef enum NvrtcOutput { NVRTC_CUBIN, NVRTC_PTX } NvrtcOutput;

/* Bytes of register spills: stored and loaded; -1 if unknown. */
typedef struct Spills {
    int64_t stores, loads;
} Spills;

/* Compiles CUDA C for `arch` ("sm_90") to machine code or PTX, whose final NUL is included in the
** length. If NVRTC does not know the architecture and `fallback` is set, the result is PTX for the
** newest one it knows. `*image` is to be memory_free()d. `spills` may be NULL. */
kjit_status nvrtc_compile(const BuildRequest *request, const char *arch, NvrtcOutput output,
                          bool fallback, char **image, size_t *length, Spills *spills);

/* Whether machine code for `arch` (90) has the miscompilation of cubin.c. */
bool cubin_mistakes_clamps(const char *image, size_t length, int arch);

/* Whether ptxas may make of this PTX, which ends in a NUL, the wrong code of negatives.c. */
kjit_status ptx_forgets_signs(const char *ptx, int arch, bool *forgets);
