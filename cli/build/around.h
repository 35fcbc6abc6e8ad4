/* Schedules around one: for `kjit tune --schedules` and for `kjit build --remarks`. */
#pragma once

#include <stddef.h>

/* Each in one line. */
typedef struct Around {
    char **list;
    size_t count;
} Around;

/* With a number twice or half as large, or without a line; then with two such changes at once, as
** long as there are no more than `most`. To be given to around_free(). */
Around schedules_around(const char *schedule, size_t most);
void around_free(Around *around);
/* A schedule in one line, to be free()d. */
char *schedule_in_line(const char *schedule);
