/* The landscape of a space as a picture: a panel a parameter, in each the objective of every
** configuration over the parameter's value, on a logarithmic axis where values are above zero. What
** the best have in common, and which parameter matters, can be seen at a glance. */
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/complain.h"
#include "measure/memory.h"
#include "measure/draft.h"
#include "measure/text.h"
#include "tune/tune.h"

enum { PANEL = 300, GAP = 56, TOP = 44, BOTTOM = 48, ACROSS = 3, LABEL = 48 };

typedef struct Picture {
    cairo_t *cr;
    const TuneRun *run;
    double low, high; /* of the objective, as it is drawn */
    bool logarithmic;
} Picture;

static double drawn(const Picture *picture, double value)
{
    return picture->logarithmic ? log10(value) : value;
}

static double value_of(const Picture *picture, size_t index)
{
    const json_t *record = picture->run->records[index];
    return record_is_good(record) ? objective_value(picture->run->options->objective, record)
                                  : (double)NAN;
}

static void find_range(Picture *picture)
{
    const TuneRun *run = picture->run;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < run->done; i++) {
        low = fmin(low, value_of(picture, run->order[i]));
        high = fmax(high, value_of(picture, run->order[i]));
    }
    picture->logarithmic = low > 0;
    picture->low = drawn(picture, low);
    picture->high = drawn(picture, high);
    double margin = (picture->high - picture->low) * 0.06;
    margin = margin > 0 ? margin : fmax(fabs(picture->low) * 0.1, 0.1);
    picture->low -= margin;
    picture->high += margin;
}

static void text_at(cairo_t *cr, double x, double y, double right, const char *text)
{
    cairo_text_extents_t size;
    cairo_text_extents(cr, text, &size);
    cairo_move_to(cr, x - right * size.width, y);
    cairo_show_text(cr, text);
}

static double across(const TuneParam *param, size_t place)
{
    return GAP + ((double)place + 0.5) / (double)json_array_size(param->values) * (PANEL - GAP);
}

static double down(const Picture *picture, double value)
{
    double part = (drawn(picture, value) - picture->low) / (picture->high - picture->low);
    return TOP + (1 - part) * (PANEL - TOP - BOTTOM);
}

static void draw_frame(const Picture *picture, const TuneParam *param)
{
    cairo_t *cr = picture->cr;
    char label[LABEL];
    size_t count = json_array_size(param->values), step = count / 8 + 1;
    cairo_set_source_rgb(cr, 0.2, 0.2, 0.2);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, GAP, TOP, PANEL - GAP, PANEL - TOP - BOTTOM);
    cairo_stroke(cr);
    cairo_set_font_size(cr, 10);
    for (size_t i = 0; i < count; i += step) {
        char *text = config_value_text(json_array_get(param->values, i));
        snprintf(label, sizeof label, "%.12s", text);
        text_make_utf8(label); /* cut off, it may end in half a character */
        text_at(cr, across(param, i), PANEL - BOTTOM + 14, 0.5, label);
        free(text);
    }
    for (int i = 0; i <= 4; i++) {
        double at = picture->low + (picture->high - picture->low) * i / 4;
        double y = TOP + (1 - i / 4.0) * (PANEL - TOP - BOTTOM);
        snprintf(label, sizeof label, "%.3g", picture->logarithmic ? pow(10, at) : at);
        text_at(cr, GAP - 5, y + 3, 1, label);
    }
    cairo_set_font_size(cr, 12);
    text_at(cr, GAP + (PANEL - GAP) / 2.0, PANEL - BOTTOM + 32, 0.5, param->name);
}

static void draw_points(const Picture *picture, size_t param)
{
    const TuneRun *run = picture->run;
    cairo_t *cr = picture->cr;
    for (size_t i = 0; i <= run->done; i++) {
        /* the best at last, on top */
        size_t index = i < run->done ? run->order[i] : run->best;
        bool best = i == run->done;
        double value = index == SIZE_MAX ? (double)NAN : value_of(picture, index);
        if (isnan(value))
            continue;
        uint32_t place = search_config(&run->space.search, index)[param];
        if (best)
            cairo_set_source_rgb(cr, 0.84, 0.15, 0.16);
        else
            cairo_set_source_rgba(cr, 0.12, 0.42, 0.66, 0.6);
        cairo_arc(cr, across(&run->space.params[param], place), down(picture, value), best ? 5 : 3,
                  0, 2 * M_PI);
        cairo_fill(cr);
    }
}

static void draw_all(Picture *picture)
{
    const TuneRun *run = picture->run;
    char title[256], best[64];
    objective_format(run->options->objective, run->best_value, best, sizeof best);
    snprintf(title, sizeof title, "%s: %s of %zu configurations, best %s",
             record_text(run->hello, "kernel"), objective_text(run->options->objective), run->done,
             best);
    text_make_utf8(title);
    cairo_set_font_size(picture->cr, 14);
    cairo_set_source_rgb(picture->cr, 0.2, 0.2, 0.2);
    text_at(picture->cr, 16, 24, 0, title);
    for (size_t i = 0; i < run->space.search.params; i++) {
        cairo_save(picture->cr);
        cairo_translate(picture->cr, (double)(i % ACROSS) * PANEL,
                        20 + (double)(i / ACROSS) * PANEL);
        draw_frame(picture, &run->space.params[i]);
        draw_points(picture, i);
        cairo_restore(picture->cr);
    }
}

static cairo_status_t put_bytes(void *file, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                    : CAIRO_STATUS_WRITE_ERROR;
}

bool landscape_plot(const TuneRun *run, const char *path)
{
    size_t params = run->space.search.params, columns = params < ACROSS ? params : ACROSS;
    Picture picture = { .run = run };
    Draft out;
    if (run->best == SIZE_MAX || !params) {
        complain("--plot %s: no configuration works, so there is nothing to draw", path);
        return false;
    }
    find_range(&picture);
    double height = 20 + (double)((params + ACROSS - 1) / ACROSS) * PANEL;
    double width = (double)(columns < 2 ? 2 : columns) * PANEL + 16;
    draft_open(&out);
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(put_bytes, out.file, width, height);
    picture.cr = cairo_create(surface);
    cairo_set_source_rgb(picture.cr, 1, 1, 1);
    cairo_paint(picture.cr);
    draw_all(&picture);
    cairo_destroy(picture.cr);
    cairo_surface_finish(surface);
    cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return draft_close(&out, "--plot", path);
    complain("--plot %s: %s", path, cairo_status_to_string(status));
    draft_drop(&out);
    return false;
}
