/* Kernels that run on the processor: with FAKE_CUDA_RUNS, a command that makes a library of CUDA C
** (tests/emulated/text.py), what has been given to NVRTC runs when it is launched. */
#include "tests/emulated/threads.h"
#include "tests/fake/cuda.h"
#include "tests/fake/params.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool fine = file && fputs(text, file) >= 0;

    return file ? fclose(file) == 0 && fine : false;
}

bool emulated_make(const char *text, FakeEntry *entry)
{
    const char *command = getenv("FAKE_CUDA_RUNS");
    char folder[] = "/tmp/emulated-XXXXXX", source[64], library[64], line[4096];

    if (!command)
        return true;
    if (!mkdtemp(folder))
        return false;
    snprintf(source, sizeof source, "%s/kernel.cu", folder);
    snprintf(library, sizeof library, "%s/kernel.so", folder);
    snprintf(line, sizeof line, "%s %s %s >&2", command, source, library);
    if (write_text(source, text) && system(line) == 0)
        entry->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    unlink(source);
    unlink(library);
    rmdir(folder);
    return entry->library != NULL;
}

void emulated_run(const FakeEntry *entry, const FakeLaunch *launch)
{
    char name[300];

    if (!entry->library)
        return;
    snprintf(name, sizeof name, "emulated_%s", entry->name);
    EmulatedEntry *kernel = (EmulatedEntry *)(uintptr_t)dlsym(entry->library, name);
    if (kernel)
        emulated_launch(kernel, launch->grid, launch->block, launch->shared, launch->params);
    else
        fake_misuse(FAKE_NOT_FOUND, "%s has no code", entry->name);
}
