#include "cli/measure/complain.h"

#include <stdarg.h>
#include <stdio.h>

bool complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("kjit: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}
