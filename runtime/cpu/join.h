/* Several kernels' texts as one. */
#pragma once

#include "runtime/runtime.h"

/* Puts a kernel's C text so that others can stand before and behind it: its entry is called
** `entry_name`, and whatever else it defines has a name that ends in `number`. */
void join_text(Buf *out, const char *text, const char *entry, const char *entry_name, int number);
