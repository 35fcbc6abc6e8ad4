#include "cli/needed/needed.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "cli/measure/complain.h"

static _Noreturn void end_without(const Needed *library)
{
    const char *reason = dlerror();
    complain("to %s it needs the library %s, which cannot be loaded; Debian's package %s has it "
             "(%s)",
             library->purpose, library->file, library->package,
             reason ? reason : "no reason given");
    exit(EXIT_FAILED);
}

void *needed_function(Needed *library, const char *name)
{
    if (!library->it) {
        library->it = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
        if (!library->it)
            end_without(library);
        if (library->loaded)
            library->loaded(library->it);
    }
    void *function = dlsym(library->it, name);
    if (!function)
        end_without(library);
    return function;
}
