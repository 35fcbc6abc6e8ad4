/* The programs of `kjit test`, and what is expected of each. */
#ifndef KJIT_CLI_CASES_H
#define KJIT_CLI_CASES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Kinds of outputs: the stages' and the like, and one for each pass. */
enum { PLAIN_ENDINGS = 17, ENDINGS = PLAIN_ENDINGS + 32 };

typedef struct Case {
    char *stem;         /* the program's path without its ending; or that of a captured launch */
    const char *source; /* the ending: "k", or "ir" */
    bool replay;        /* it is one, and expects what was captured */
    bool expects[ENDINGS];
    FILE *report;
    pid_t process; /* 0: not started, or over */
    double began;  /* by clock_seconds() */
} Case;

typedef struct Cases {
    Case *list;
    size_t count;
} Cases;

/* The ending of that kind into `room`, "opt.cu"; false behind the last. */
bool ending_at(int index, char room[32]);
/* Adds what a path stands for: a program, one of its outputs, a captured launch, or a folder of
** these. An exit status. */
int cases_add(Cases *cases, const char *path);
/* By their paths. */
void cases_sort(Cases *cases);
void cases_free(Cases *cases);

#endif
