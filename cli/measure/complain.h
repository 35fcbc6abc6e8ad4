/* What the command says when something goes wrong, and how it ends then. */
#pragma once

#include <stdbool.h>

enum {
    EXIT_DONE = 0,
    EXIT_PROGRAM = 1, /* the program is wrong */
    EXIT_COMMAND = 2, /* the command line is wrong */
    EXIT_FAILED = 3,  /* it failed while running */
    EXIT_DEFECT = 4,  /* a test or the checker found a defect */
};

/* Says `kjit: message` on stderr; false. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, and how the command ends then. */
#define bad_usage(...)       (complain(__VA_ARGS__), EXIT_COMMAND)
#define complain_failed(...) (complain(__VA_ARGS__), EXIT_FAILED)
