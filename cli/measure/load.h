/* What else the machine does, and whether times that are taken meanwhile are worth anything. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Sums that only grow, of which two readings tell what was between them. Seconds. */
typedef struct Load {
    double wall;      /* on the clock of launches */
    double processor; /* that this process's threads have had processors, all together */
    double waited;    /* that they could have run, and had none */
    double slices;    /* how often one of them was given a processor */
    double others;    /* that other programs have had the processors it may use, all together */
    int processors;   /* that it may use */
} Load;

/* load.c: of the machine as it is. A function of its own file: tests put another in its place
** (tests/paced/paced.h). What the machine does not tell stays 0. */
void load_read(Load *load);

/* disturbed.c: whether what was timed between two readings tells nothing, since other programs had
** the processors; then `why` is half a sentence, "its threads waited for a processor 45 % of the
** time". Else it is empty. */
bool load_disturbs(const Load *from, const Load *to, char *why, size_t room);
