/* Files that the command writes. What is printed into one lies in memory until it is whole, so that
** a full disk or a sudden end leaves the file that was there before. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct Draft {
    FILE *file; /* to be printed to */
    char *text;
    size_t length;
} Draft;

/* Ends the process with exit status 3 when memory runs out. */
void draft_open(Draft *draft);
/* Writes all that was printed to the file of that path; false after a complaint, which begins with
** the option that named it, if that is not NULL. */
bool draft_close(Draft *draft, const char *option, const char *path);
/* Can that file be written? For before the work begins that ends in it. False after a complaint as
** of draft_close(). */
bool draft_check(const char *option, const char *path);
/* Forgets what was printed; nothing is written. */
void draft_drop(Draft *draft);
