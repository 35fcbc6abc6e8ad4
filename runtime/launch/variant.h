/* Variants of a kernel: one list of argument types, several launches that differ in what they
** show. */
#pragma once

#include "runtime/runtime.h"

/* The facts of a launch. Its arguments are checked. Without `config` those that the grid and the
** block decide are as for a grid of few threads whose blocks are not known. */
void facts_of_launch(const kjit_arg *args, size_t count, const kjit_launch_config *config,
                     const Device *device, IrFacts *facts);

/* The same of a processor that runs so many blocks at a time: few threads fill it. */
unsigned grid_size_of_processor(const kjit_launch_config *config, int workers);

/* What a specialisation is found by. */
typedef struct VariantKey {
    const uint32_t *words;
    int length;
    int block_threads;    /* as in KernelRequest */
    const IrFacts *facts; /* of the launch; NULL: it has to be right for any */
} VariantKey;

/* The first of a list with the key's types and threads, whatever launches it is for; or NULL. */
Specialisation *variant_find(Specialisation *list, const VariantKey *key);
/* The kernel's finished variant that a compilation for the key would give; or NULL. */
Specialisation *variant_best(const kjit_kernel *kernel, const VariantKey *key);
/* A finished one that is right for the key's launches, if not the best for them; or NULL. */
Specialisation *variant_right(const kjit_kernel *kernel, const VariantKey *key);

/* Has a variant compiled in the background, unless something is to be done for the kernel already,
** or there is no thread: then it gives false. It copies the key, which has facts. When it is done,
** `hot` is informed, unless that is NULL. */
bool behind_add(kjit_kernel *kernel, const VariantKey *key, struct Hot *hot);
/* That compilation, in the thread of behind.c. */
kjit_status dispatch_behind(kjit_kernel *kernel, const VariantKey *key, Specialisation **spec);

/* The threads of a block that a launch with blocks of so many really has. */
uint64_t shape_threads(const Specialisation *spec, uint64_t threads);
/* The launch that carries out a request, its parameters left out. False if the device
** cannot have it. */
bool shape_apply(const Specialisation *spec, const Device *device, const LaunchRequest *asked,
                 const kjit_arg *args, size_t count, LaunchRequest *real);
/* What the hidden parameter of that number holds. */
uint64_t hidden_value(const Specialisation *spec, int index, const LaunchRequest *asked,
                      const kjit_arg *args);
