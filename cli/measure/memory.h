/* Memory of the command. */
#pragma once

#include <stddef.h>

/* These end the process with exit status 3 when memory runs out. */
void *must_alloc(size_t bytes);
void *must_grow(void *old, size_t bytes);
/* Appends to a list that grows by one: `must_push(list, count) = item;` */
#define must_push(list, count)                                                                     \
    (*((list) = must_grow((list), ((count) + 1) * sizeof *(list)), &(list)[(count)++]))
char *must_strndup(const char *text, size_t length);
