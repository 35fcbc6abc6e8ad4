/* Pictures of arrays: in files, and as bars on a terminal. */
#ifndef KJIT_PLOT_H
#define KJIT_PLOT_H

#include "cli/cli.h"

/* bars.c: draws a 1-D array as bars, `columns` wide, with neighbours merged to fit a screen. Skips
** other ranks, complex numbers and empty arrays. */
void draw_bars(FILE *out, const kjit_array *array, int columns);
/* The width of the terminal that `out` is, 0 if it is none. */
int terminal_columns(FILE *out);

/* plot.c: writes an .svg or .png: bars or a line of a 1-D array, an image of a 2-D one. Requires
** plot_check(). */
int plot_check(const char *path, const char *name, const kjit_array *array);
int plot_array(const char *path, const char *name, const kjit_array *array);

#endif
