/* Compilations that wait for others: kjit_queue_compilations(). */
#pragma once

#include "runtime/runtime.h"

/* Has a compilation wait, if some are to: `words` start the compiler, "" for the object's path. */
bool queue_put(char *const *words, const BuildRequest *request, const CacheKey *key);
/* What runs in the kernel's place. */
int queue_run_nothing(void *const *params, const KjitHostLaunch *launch);
/* A kernel's entry in its object, or, if it has a key, in one of several kernels. */
void *queue_find_entry(void *library, const char *entry, const CacheKey *key);
