/* Plots by cairo: a 1-D array as bars, as a line when it is long, as the band between the least and
** the greatest of each column of pixels when it is longer than the page is wide; a 2-D array as an
** image. */
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

enum {
    WIDTH = 720,
    HEIGHT = 450,
    LEFT = 80,
    RIGHT = 20,
    TOP = 36,
    BOTTOM = 40,
    BARS_MAX = 200,                       /* beyond, a line */
    COLUMNS = 2 * (WIDTH - LEFT - RIGHT), /* pixels of a .png from left to right */
    LINE_MAX = 4 * COLUMNS,               /* beyond, a band */
    PIXELS_MAX = 2048,                    /* a side of an image; beyond, every n-th element */
    TICKS = 5,
};

/* The part of the page inside the axes, and the numbers at its corners. */
typedef struct Frame {
    double left, top, width, height;
    double x0, x1, y0, y1; /* y0 at the bottom */
} Frame;

static double to_x(const Frame *f, double x)
{
    return f->left + (x - f->x0) / (f->x1 - f->x0) * f->width;
}

static double to_y(const Frame *f, double y)
{
    return f->top + (f->y1 - y) / (f->y1 - f->y0) * f->height;
}

/* 1, 2 or 5 times a power of ten, so that about TICKS of them make `range`. */
static double tick_step(double range)
{
    double rough = range / TICKS, power = pow(10, floor(log10(rough)));
    double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

/* Text at a point, moved by parts of its own size. */
static void draw_text(cairo_t *cr, double x, double y, double right, double down, const char *text)
{
    cairo_text_extents_t size;
    cairo_text_extents(cr, text, &size);
    cairo_move_to(cr, x - right * size.width, y + down * size.height);
    cairo_show_text(cr, text);
}

static void draw_axes(cairo_t *cr, const Frame *f, const char *title)
{
    char label[32];
    cairo_set_source_rgb(cr, 0.2, 0.2, 0.2);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, f->left, f->top, f->width, f->height);
    cairo_stroke(cr);
    cairo_set_font_size(cr, 14);
    draw_text(cr, f->left + f->width / 2, f->top - 12, 0.5, 0, title);
    cairo_set_font_size(cr, 11);

    double low = fmin(f->x0, f->x1), high = fmax(f->x0, f->x1), step = tick_step(high - low);
    for (double x = ceil(low / step) * step; x <= high + step / 1e6; x += step) {
        snprintf(label, sizeof label, "%.6g", fabs(x) < step / 2 ? 0 : x);
        cairo_move_to(cr, to_x(f, x), f->top + f->height);
        cairo_rel_line_to(cr, 0, 5);
        cairo_stroke(cr);
        draw_text(cr, to_x(f, x), f->top + f->height + 10, 0.5, 1, label);
    }
    low = fmin(f->y0, f->y1), high = fmax(f->y0, f->y1), step = tick_step(high - low);
    for (double y = ceil(low / step) * step; y <= high + step / 1e6; y += step) {
        snprintf(label, sizeof label, "%.6g", fabs(y) < step / 2 ? 0 : y);
        cairo_move_to(cr, f->left, to_y(f, y));
        cairo_rel_line_to(cr, -5, 0);
        cairo_stroke(cr);
        draw_text(cr, f->left - 9, to_y(f, y), 1, 0.5, label);
    }
}

static Frame page_frame(void)
{
    return (Frame){
        .left = LEFT, .top = TOP, .width = WIDTH - LEFT - RIGHT, .height = HEIGHT - TOP - BOTTOM
    };
}

/* ---- one dimension -------------------------------------------------------------------------- */

/* The axes that show all of a series. */
static Frame series_frame(const kjit_array *array, bool bars)
{
    Walk walk;
    Number number;
    Frame f = page_frame();

    f.x1 = bars ? (double)array->shape[0] : fmax(1, (double)array->shape[0] - 1);
    f.y0 = bars ? 0 : INFINITY;
    f.y1 = bars ? 0 : -INFINITY;
    for (walk_start(&walk, array); walk_next(&walk, &number);)
        if (isfinite(number.real)) {
            f.y0 = fmin(f.y0, number.real);
            f.y1 = fmax(f.y1, number.real);
        }
    if (!(f.y1 > f.y0)) {
        double middle = isfinite(f.y0) ? f.y0 : 0;
        f.y0 = middle - 1;
        f.y1 = middle + 1;
    }
    return f;
}

static void plot_bars(cairo_t *cr, const Frame *f, const kjit_array *array)
{
    Walk walk;
    Number number;
    double width = f->width / f->x1;

    walk_start(&walk, array);
    for (int64_t i = 0; walk_next(&walk, &number); i++)
        if (isfinite(number.real))
            cairo_rectangle(cr, to_x(f, (double)i) + 0.05 * width, to_y(f, 0), 0.9 * width,
                            to_y(f, number.real) - to_y(f, 0));
    cairo_fill(cr);
}

/* What is not finite interrupts the line. */
static void plot_line(cairo_t *cr, const Frame *f, const kjit_array *array)
{
    Walk walk;
    Number number;

    walk_start(&walk, array);
    for (int64_t i = 0; walk_next(&walk, &number); i++)
        if (isfinite(number.real))
            cairo_line_to(cr, to_x(f, (double)i), to_y(f, number.real));
        else
            cairo_new_sub_path(cr);
    cairo_stroke(cr);
}

/* A line from the least to the greatest element of each column, and on to the next column: what a
** line through all elements would cover, in a time that does not grow with them. */
static void plot_band(cairo_t *cr, const Frame *f, const kjit_array *array)
{
    Walk walk;
    Number number;
    double least[COLUMNS], most[COLUMNS], count = (double)array->shape[0];

    for (int i = 0; i < COLUMNS; i++) {
        least[i] = INFINITY;
        most[i] = -INFINITY;
    }
    walk_start(&walk, array);
    for (int64_t i = 0; walk_next(&walk, &number); i++)
        if (isfinite(number.real)) {
            int column = (int)((double)i / count * COLUMNS);
            least[column] = fmin(least[column], number.real);
            most[column] = fmax(most[column], number.real);
        }
    for (int i = 0; i < COLUMNS; i++) {
        double x = f->left + (i + 0.5) / COLUMNS * f->width;
        if (least[i] > most[i]) {
            cairo_new_sub_path(cr);
            continue;
        }
        cairo_line_to(cr, x, to_y(f, least[i]));
        cairo_line_to(cr, x, to_y(f, most[i]));
    }
    cairo_stroke(cr);
}

static void draw_series(cairo_t *cr, const char *name, const kjit_array *array)
{
    bool bars = array->shape[0] <= BARS_MAX;
    Frame f = series_frame(array, bars);

    cairo_set_source_rgb(cr, 0.16, 0.42, 0.67);
    cairo_set_line_width(cr, 1.2);
    if (bars)
        plot_bars(cr, &f, array);
    else if (array->shape[0] <= LINE_MAX)
        plot_line(cr, &f, array);
    else
        plot_band(cr, &f, array);
    draw_axes(cr, &f, name);
}

/* ---- two dimensions ------------------------------------------------------------------------- */

/* From dark blue over green to yellow; `t` from 0 to 1. */
static uint32_t color_of(double t)
{
    static const double stops[][3] = {
        { 48, 18, 96 }, { 50, 84, 150 }, { 32, 144, 140 }, { 94, 200, 98 }, { 250, 230, 50 }
    };
    enum { LAST = sizeof stops / sizeof stops[0] - 1 };
    double place = fmin(fmax(t, 0), 1) * LAST;
    int at = place >= LAST ? LAST - 1 : (int)place;
    uint32_t color = 0;
    for (int i = 0; i < 3; i++) {
        double part = stops[at][i] + (stops[at + 1][i] - stops[at][i]) * (place - at);
        color = color << 8 | (uint32_t)lround(part);
    }
    return color;
}

static cairo_surface_t *image_of(const kjit_array *array, const Summary *summary)
{
    Walk walk;
    Number number;
    int64_t rows = array->shape[0], columns = array->shape[1];
    int64_t step = (rows > columns ? rows : columns) / PIXELS_MAX + 1;
    int width = (int)((columns + step - 1) / step), height = (int)((rows + step - 1) / step);
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    double least = summary->least.real, range = summary->most.real - least;

    if (!pixels)
        return image;
    cairo_surface_flush(image);
    walk_start(&walk, array);
    for (int64_t i = 0; walk_next(&walk, &number); i++) {
        int64_t row = i / columns, column = i % columns;
        if (row % step || column % step)
            continue;
        double t = range > 0 ? (number.real - least) / range : 0;
        uint32_t color = isnan(t) ? 0xc0c0c0 : color_of(t);
        memcpy(pixels + row / step * cairo_image_surface_get_stride(image) + column / step * 4,
               &color, sizeof color);
    }
    cairo_surface_mark_dirty(image);
    return image;
}

static void draw_image(cairo_t *cr, const char *name, const kjit_array *array)
{
    Summary summary;
    Frame f = page_frame();
    double rows = (double)array->shape[0], columns = (double)array->shape[1];
    char title[256], least[NUMBER_TEXT], most[NUMBER_TEXT];

    array_summarize(array, &summary);
    cairo_surface_t *image = image_of(array, &summary);
    double cell = fmin(f.width / columns, f.height / rows);
    f.left += (f.width - cell * columns) / 2;
    f.width = cell * columns;
    f.height = cell * rows;
    f.x1 = columns;
    f.y0 = rows;

    cairo_save(cr);
    cairo_translate(cr, f.left, f.top);
    cairo_scale(cr, f.width / cairo_image_surface_get_width(image),
                f.height / cairo_image_surface_get_height(image));
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image);

    number_format(least, &summary.least, array->dtype, 6);
    number_format(most, &summary.most, array->dtype, 6);
    snprintf(title, sizeof title, "%s, from %s to %s", name, least, most);
    draw_axes(cr, &f, title);
}

/* ---- files ---------------------------------------------------------------------------------- */

static void draw(cairo_surface_t *surface, double scale, const char *name, const kjit_array *array)
{
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, scale, scale);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    if (array->rank == 1)
        draw_series(cr, name, array);
    else
        draw_image(cr, name, array);
    cairo_destroy(cr);
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcmp(path + length - tail, ending);
}

int plot_check(const char *path, const char *name, const kjit_array *array)
{
    bool complex = array->dtype == KJIT_DTYPE_COMPLEX64 || array->dtype == KJIT_DTYPE_COMPLEX128;

    if (!ends_in(path, ".svg") && !ends_in(path, ".png")) {
        complain("--plot writes .svg and .png files, not '%s'", path);
        return EXIT_COMMAND;
    }
    if (array->rank < 1 || array->rank > 2 || complex || !array_count(array)) {
        complain("--plot %s: only arrays of one or two dimensions, of real numbers and with "
                 "something in them, can be drawn",
                 name);
        return EXIT_COMMAND;
    }
    return EXIT_DONE;
}

static cairo_status_t put_bytes(void *file, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                    : CAIRO_STATUS_WRITE_ERROR;
}

int plot_array(const char *path, const char *name, const kjit_array *array)
{
    bool svg = ends_in(path, ".svg");
    Draft out;
    draft_open(&out);
    cairo_surface_t *surface =
        svg ? cairo_svg_surface_create_for_stream(put_bytes, out.file, WIDTH, HEIGHT)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * WIDTH, 2 * HEIGHT);
    draw(surface, svg ? 1 : 2, name, array);
    cairo_status_t status = svg ? CAIRO_STATUS_SUCCESS
                                : cairo_surface_write_to_png_stream(surface, put_bytes, out.file);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return draft_close(&out, NULL, path) ? EXIT_DONE : EXIT_FAILED;
    complain("cannot write %s: %s", path, cairo_status_to_string(status));
    draft_drop(&out);
    return EXIT_FAILED;
}
