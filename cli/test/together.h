/* Compiling what tests need together: kjit_queue_compilations(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A file in which compilations wait; NULL: there can be none. */
FILE *together_open(void);
/* This process is a test, of that many seconds at most, whose compilations wait in the queue, if it
** is not NULL, and are counted in `*waiting`. */
void together_begin(FILE *queue, int *waiting, unsigned seconds);
/* Whether some of them do, so that what the process finds is worth nothing. */
bool together_waits(void);
/* Compiles what waits, in so many processes, and closes the queue; false: nothing waited. */
bool together_compile(FILE *queue, size_t jobs);
