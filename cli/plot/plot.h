/* Pictures of arrays: in files, as movies, and on a terminal.
**
** A picture has a panel with all its 1-D arrays, as bars or curves, and a panel for each array of
** two axes; the latter have one colour scale. An array of shape [h, w, 3] or [h, w, 4] is an image
** in its own colours. */
#pragma once

#include "cli/cli.h"

typedef struct PlotStyle {
    bool log_x, log_y, log_color;
    int map;           /* of color_map_find() */
    const char *x, *y; /* names of the axes; NULL: index, column, row */
    uint64_t steps;    /* so many steps of a run in a row; 0: what it ends with */
} PlotStyle;

typedef struct PlotItem {
    const char *name;
    const kjit_array *array;
} PlotItem;

/* ---- color.c -------------------------------------------------------------------------------- */

#define COLOR_MAPS "viridis, cividis, gray or coolwarm"
/* The number of a map; -1: there is none of that name. */
int color_map_find(const char *name);

/* Colours of the numbers from least to most. */
typedef struct ColorScale {
    int map;
    bool log;
    double least, most;
} ColorScale;

/* A scale of nothing yet; numbers are put to it; then it is fixed. */
ColorScale color_scale(const PlotStyle *style);
void color_scale_put(ColorScale *scale, double number);
void color_scale_fix(ColorScale *scale);
/* 0xRRGGBB of a number; grey of what has no place on the scale, as NaN. */
uint32_t color_of(const ColorScale *scale, double number);
/* Of a part of the scale, from 0 to 1. */
uint32_t color_of_part(const ColorScale *scale, double part);
/* Of curves in one panel. */
uint32_t color_of_curve(size_t index);

/* ---- raster.c ------------------------------------------------------------------------------- */

/* An array in so few pixels that it can be shown: each is the mean of the elements it covers. */
typedef struct Raster {
    int width, height;
    int64_t step;          /* elements a pixel covers along each axis */
    int64_t columns, rows; /* of the array */
    float *number;         /* NULL of images */
    uint32_t *color;       /* of images */
} Raster;

/* Whether an array of that dtype and shape can be drawn. */
bool raster_possible(const kjit_array *array);
/* At most `most_width` and `most_height` pixels. Then raster_free(). */
Raster raster_make(const kjit_array *array, int most_width, int most_height);
void raster_free(Raster *raster);
void raster_put_scale(const Raster *raster, ColorScale *scale);
uint32_t raster_pixel(const Raster *raster, const ColorScale *scale, int row, int column);

/* ---- terminal: bars.c, tiles.c -------------------------------------------------------------- */

/* Draws a 1-D array as bars, `columns` wide, with neighbours merged to fit a screen. Skips other
** ranks, complex numbers and empty arrays. */
void draw_bars(FILE *out, const kjit_array *array, int columns);
/* Draws an array of two axes, or an image, with two pixels a character, where the terminal has
** colours. Skips others. */
void draw_tiles(FILE *out, const kjit_array *array, int columns);
/* The width of the terminal that `out` is, 0 if it is none. */
int terminal_columns(FILE *out);

/* ---- page.c: pictures in files -------------------------------------------------------------- */

/* Whether these arrays can be drawn into a file of that name; exit statuses. */
int plot_check(const char *path, const PlotItem *items, size_t count);
/* Writes an .svg or .png. Requires plot_check(). */
int plot_arrays(const char *path, const PlotItem *items, size_t count, const PlotStyle *style);

/* ---- movie.c: the steps of a run ------------------------------------------------------------ */

/* The steps that are kept of an array: up to 128, evenly distributed over the run. */
typedef struct Movie Movie;

/* Whether a file of that name is a movie, .gif or .mp4. */
bool movie_named(const char *path);
Movie *movie_new(const char *name);
void movie_free(Movie *movie);
/* Called once a step: whether it is one to be added. */
bool movie_wants(Movie *movie);
void movie_add(Movie *movie, const kjit_array *array);
/* Writes a movie by ffmpeg, or a row of steps: style->steps of them, or 6 where there is no ffmpeg,
** to a .png instead. An exit status. */
int movie_write(const Movie *movie, const char *path, const PlotStyle *style);
