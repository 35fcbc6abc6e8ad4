/* An array of two axes on a terminal: a character is an upper half in one colour on a lower half in
** another. */
#include "cli/plot/plot.h"

enum { ROWS_MOST = 48, COLUMNS_MOST = 96, ZOOM_MOST = 4, BAR = 24 };

/* How many colours the terminal has: 0, 256, or all. */
typedef enum Depth { DEPTH_NONE, DEPTH_256, DEPTH_ALL } Depth;

static Depth depth_of(void)
{
    const char *color = getenv("COLORTERM"), *term = getenv("TERM"), *no = getenv("NO_COLOR");

    if ((no && *no) || !term || !*term || !strcmp(term, "dumb"))
        return DEPTH_NONE;
    if (color && (!strcmp(color, "truecolor") || !strcmp(color, "24bit")))
        return DEPTH_ALL;
    return strstr(term, "256color") ? DEPTH_256 : DEPTH_NONE;
}

/* The nearest of the 6 x 6 x 6 colours that terminals with 256 have behind the first 16. */
static unsigned nearest(uint32_t color)
{
    unsigned number = 16;
    for (int shift = 16, weight = 36; shift >= 0; shift -= 8, weight /= 6) {
        unsigned part = color >> shift & 0xff;
        number += (unsigned)weight * (part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40);
    }
    return number;
}

static void set_color(FILE *out, Depth depth, int where, uint32_t color)
{
    if (depth == DEPTH_ALL)
        fprintf(out, "\033[%d;2;%u;%u;%um", where, color >> 16, color >> 8 & 0xff, color & 0xff);
    else
        fprintf(out, "\033[%d;5;%um", where, nearest(color));
}

static void draw_row(FILE *out, Depth depth, const Raster *raster, const ColorScale *scale, int row,
                     int zoom)
{
    int upper = row * 2 / zoom, lower = (row * 2 + 1) / zoom;

    for (int i = 0; i < raster->width * zoom; i++) {
        set_color(out, depth, 38, raster_pixel(raster, scale, upper, i / zoom));
        if (lower < raster->height)
            set_color(out, depth, 48, raster_pixel(raster, scale, lower, i / zoom));
        fputs("▀", out);
    }
    fputs("\033[0m\n", out);
}

/* The scale, between the numbers at its ends. */
static void draw_scale(FILE *out, Depth depth, const ColorScale *scale)
{
    fprintf(out, "%.6g ", scale->least);
    for (int i = 0; i < BAR; i++) {
        set_color(out, depth, 38, color_of_part(scale, (i + 0.5) / BAR));
        fputs("█", out);
    }
    fprintf(out, "\033[0m %.6g\n", scale->most);
}

void draw_tiles(FILE *out, const kjit_array *array, int columns)
{
    static const PlotStyle usual;
    Depth depth = columns ? depth_of() : DEPTH_NONE;
    ColorScale scale = color_scale(&usual);

    if (depth == DEPTH_NONE || array->rank < 2 || !raster_possible(array))
        return;
    int width = columns < COLUMNS_MOST ? columns : COLUMNS_MOST;
    Raster raster = raster_make(array, width, ROWS_MOST);
    int zoom = width / raster.width, down = ROWS_MOST / raster.height;
    zoom = zoom < down ? zoom : down;
    zoom = zoom < ZOOM_MOST ? zoom : ZOOM_MOST;
    raster_put_scale(&raster, &scale);
    color_scale_fix(&scale);
    for (int row = 0; row * 2 < raster.height * zoom; row++)
        draw_row(out, depth, &raster, &scale, row, zoom);
    if (raster.number)
        draw_scale(out, depth, &scale);
    if (raster.step > 1)
        fprintf(out, "each half is the mean of %lld x %lld elements\n", (long long)raster.step,
                (long long)raster.step);
    raster_free(&raster);
}
