/* Functions of libraries that are loaded when something of them is called. */
#include "runtime/runtime.h"

#include <dlfcn.h>

const char *symbols_find(void *library, const WantedSymbol *wanted, size_t count)
{
    const char *missing = NULL;
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, wanted[i].name);
        memcpy(wanted[i].place, &address, sizeof address);
        missing = missing || address ? missing : wanted[i].name;
    }
    return missing;
}
