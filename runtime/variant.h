/* Variants of a kernel: one list of argument types, several launches that differ in what they
** show. */
#ifndef KJIT_VARIANT_H
#define KJIT_VARIANT_H

#include "runtime/runtime.h"

/* The facts of a launch. Its arguments are checked. Without `config` those that the grid and the
** block decide are as for a grid of few threads whose blocks are not known. */
void facts_of_launch(const kjit_arg *args, size_t count, const kjit_launch_config *config,
                     const Device *device, IrFacts *facts);

#endif
