/* The programs of `kjit test` and their expectations. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Kinds of outputs: those of stages and the like, and one per pass, of which there are fewer. */
enum { PLAIN_ENDINGS = 21, ENDINGS = PLAIN_ENDINGS + 64 };

typedef struct Case {
    char *stem;         /* the program's path without its ending; or that of a captured launch */
    const char *source; /* the ending: "k", "ir" or "py" */
    bool replay;        /* a captured launch, whose expectation is the captured output */
    bool expects[ENDINGS];
    FILE *report;
    pid_t process; /* 0: not running */
    double began;  /* by clock_seconds() */
    bool again;    /* kernels of it were not compiled yet */
} Case;

typedef struct Cases {
    Case *list;
    size_t count;
} Cases;

/* Writes the ending of a kind, "opt.cu"; false after the last. */
bool ending_at(int index, char room[32]);
/* Adds a program, one of its outputs, a captured launch, or a folder of these. An exit status. */
int cases_add(Cases *cases, const char *path);
/* Names the files beside programs that might be expectations, and that the user wrote. */
void cases_say_left(const Cases *cases);
/* By their paths. */
void cases_sort(Cases *cases);
void cases_free(Cases *cases);
