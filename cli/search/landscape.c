/* A plot of a space: a panel per parameter, with the objective of every configuration over the
** parameter's value, on a logarithmic axis if all values are positive. It shows what the best have
** in common, and which parameters matter. */
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>

#include "cli/measure/complain.h"
#include "cli/measure/draft.h"
#include "cli/measure/text.h"
#include "cli/search/tune.h"

enum { PANEL = 300, GAP = 64, TOP = 44, BOTTOM = 48, ACROSS = 3, LABEL = 48, APART = 8 };

typedef struct Picture {
    cairo_t *cr;
    const TuneRun *run;
    double low, high; /* range of the drawn objective */
    bool logarithmic;
} Picture;

static double drawn(const Picture *picture, double value)
{
    return picture->logarithmic ? log10(value) : value;
}

/* For "slow" the time measured so far, if the objective follows the time. */
static double value_of(const Picture *picture, size_t index)
{
    const json_t *record = tune_last_record(picture->run, index);
    return isfinite(tune_worth(picture->run, record))
               ? objective_value(picture->run->options->objective, record)
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

static double across(const ListedParam *param, size_t index)
{
    return GAP + ((double)index + 0.5) / (double)json_array_size(param->values) * (PANEL - GAP);
}

static double down(const Picture *picture, double value)
{
    double part = (drawn(picture, value) - picture->low) / (picture->high - picture->low);
    return TOP + (1 - part) * (PANEL - TOP - BOTTOM);
}

/* The label of a value, truncated to valid UTF-8. */
static void value_label(const ListedParam *param, size_t index, char label[LABEL])
{
    char *text = config_value_text(json_array_get(param->values, index));
    snprintf(label, LABEL, "%.24s%s", text, strlen(text) > 24 ? "~" : "");
    text_make_utf8(label);
    free(text);
}

/* One in how many values has a label, so that labels do not overlap. */
static size_t label_step(cairo_t *cr, const ListedParam *param)
{
    size_t count = json_array_size(param->values);
    double widest = 0;
    for (size_t i = 0; i < count; i++) {
        char label[LABEL];
        cairo_text_extents_t size;
        value_label(param, i, label);
        cairo_text_extents(cr, label, &size);
        widest = fmax(widest, size.width);
    }
    return (size_t)ceil((widest + APART) * (double)count / (PANEL - GAP));
}

/* Draws a text, shortened to the panel's width. */
static void label_at(cairo_t *cr, double x, double y, const char *text)
{
    cairo_text_extents_t size;
    cairo_text_extents(cr, text, &size);
    double left = fmin(x - size.width / 2, PANEL - size.width);
    cairo_move_to(cr, fmax(left, APART), y);
    cairo_show_text(cr, text);
}

static void draw_frame(const Picture *picture, const ListedParam *param)
{
    cairo_t *cr = picture->cr;
    char label[LABEL];
    size_t count = json_array_size(param->values), step;
    cairo_set_source_rgb(cr, 0.2, 0.2, 0.2);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, GAP, TOP, PANEL - GAP, PANEL - TOP - BOTTOM);
    cairo_stroke(cr);
    cairo_set_font_size(cr, 10);
    step = label_step(cr, param);
    for (size_t i = 0; i < count; i += step ? step : 1) {
        value_label(param, i, label);
        label_at(cr, across(param, i), PANEL - BOTTOM + 14, label);
    }
    for (int i = 0; i <= 4; i++) {
        double at = picture->low + (picture->high - picture->low) * i / 4;
        double y = TOP + (1 - i / 4.0) * (PANEL - TOP - BOTTOM);
        double value = picture->logarithmic ? pow(10, at) : at;
        if (objective_is_time(picture->run->options->objective))
            time_format(value, label, sizeof label);
        else
            snprintf(label, sizeof label, "%.3g", value);
        text_at(cr, GAP - 5, y + 3, 1, label);
    }
    cairo_set_font_size(cr, 12);
    text_at(cr, GAP + (PANEL - GAP) / 2.0, PANEL - BOTTOM + 32, 0.5, param->name);
}

/* A dot for "ok", a ring for "slow" and "disturbed", a cross at the top for failures. */
static void draw_point(const Picture *picture, size_t param, size_t index, bool best)
{
    cairo_t *cr = picture->cr;
    double value = value_of(picture, index);
    uint32_t value_index = search_config(&picture->run->space.search, index)[param];
    double x = across(&picture->run->space.params[param], value_index);
    cairo_new_path(cr);
    if (isnan(value)) {
        cairo_set_source_rgb(cr, 0.6, 0.6, 0.6);
        cairo_move_to(cr, x - 3, TOP - 9);
        cairo_line_to(cr, x + 3, TOP - 3);
        cairo_move_to(cr, x - 3, TOP - 3);
        cairo_line_to(cr, x + 3, TOP - 9);
        cairo_stroke(cr);
        return;
    }
    if (best)
        cairo_set_source_rgb(cr, 0.84, 0.15, 0.16);
    else
        cairo_set_source_rgba(cr, 0.12, 0.42, 0.66, 0.6);
    cairo_arc(cr, x, down(picture, value), best ? 5 : 3, 0, 2 * M_PI);
    if (record_is_good(picture->run->records[index]))
        cairo_fill(cr);
    else
        cairo_stroke(cr);
}

static void draw_points(const Picture *picture, size_t param)
{
    const TuneRun *run = picture->run;
    for (size_t i = 0; i < run->done; i++)
        draw_point(picture, param, run->order[i], false);
    if (run->best != SIZE_MAX)
        draw_point(picture, param, run->best, true); /* last, to be on top */
}

static void draw_all(Picture *picture)
{
    const TuneRun *run = picture->run;
    char title[256], best[64];
    objective_format(run->options->objective, run->best_value, best, sizeof best);
    snprintf(title, sizeof title, "%s: %s of %zu configurations%s, %s%s",
             record_text(run->hello, "kernel"), objective_text(run->options->objective), run->done,
             picture->logarithmic ? " (logarithmic)" : "",
             run->undecided ? "no winner is named" : "best ", run->undecided ? "" : best);
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
    find_range(&picture);
    if ((run->best == SIZE_MAX && !run->undecided) || !isfinite(picture.low) || !params)
        return complain("--plot %s: no configuration works, so there is nothing to draw", path);
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
