/* Arrays of one dimension: bars where there are few elements, a line where there are more, and,
** where these are more than the page is wide, the band between the least and the greatest of each
** column of pixels. */
#include <math.h>

#include "cli/plot/draw.h"

enum {
    BARS_MOST = 200,        /* beyond, a line */
    COLUMNS = 1240,         /* pixels of a .png from left to right */
    LINE_MOST = 4 * COLUMNS /* beyond, a band */
};

/* The place of an element; on a logarithmic axis the first has number 1. */
static double place_of(const Frame *f, const Curve *curve, int64_t index)
{
    return (double)index * curve->step + (f->x.log ? 1 : 0);
}

static bool has_place(const Frame *f, const Number *number)
{
    return isfinite(number->real) && !(f->y.log && number->real <= 0);
}

bool series_has_bars(const Curve *curves, size_t count)
{
    return count == 1 && curves->step == 1 && curves->array->shape[0] <= BARS_MOST;
}

/* A little more than what is there, so that no curve runs along the frame. */
static void widen(Axis *axis, bool below)
{
    double margin = axis->log ? pow(axis->to / axis->from, 0.03) : (axis->to - axis->from) * 0.03;
    if (!isfinite(margin) || !(axis->to > axis->from))
        return;
    axis->to = axis->log ? axis->to * margin : axis->to + margin;
    if (below)
        axis->from = axis->log ? axis->from / margin : axis->from - margin;
}

void series_range(Frame *f, const Curve *curves, size_t count, bool bars)
{
    double last = f->x.log ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        Walk walk;
        Number number;
        int64_t end = curves[i].array->shape[0] - (bars ? 0 : 1);
        last = fmax(last, place_of(f, &curves[i], end));
        for (walk_start(&walk, curves[i].array); walk_next(&walk, &number);)
            if (has_place(f, &number)) {
                f->y.from = fmin(f->y.from, number.real);
                f->y.to = fmax(f->y.to, number.real);
            }
    }
    f->x.from = f->x.log ? 1 : 0;
    f->x.to = fmax(f->x.to, last);
    if (bars && f->y.log && f->y.from > 0)
        f->y.from /= 2; /* the least is seen, too */
    else if (bars && !f->y.log) {
        f->y.from = fmin(f->y.from, 0);
        f->y.to = fmax(f->y.to, 0);
    }
    widen(&f->y, !bars || f->y.from < 0);
}

static void plot_bars(cairo_t *cr, const Frame *f, const Curve *curve)
{
    Walk walk;
    Number number;
    double base = frame_y(f, f->y.log ? f->y.from : 0);

    walk_start(&walk, curve->array);
    for (int64_t i = 0; walk_next(&walk, &number); i++) {
        double left = frame_x(f, place_of(f, curve, i));
        double width = frame_x(f, place_of(f, curve, i + 1)) - left;
        if (has_place(f, &number))
            cairo_rectangle(cr, left + 0.05 * width, base, 0.9 * width,
                            frame_y(f, number.real) - base);
    }
    cairo_fill(cr);
}

/* What is not finite interrupts the line. */
static void plot_line(cairo_t *cr, const Frame *f, const Curve *curve)
{
    Walk walk;
    Number number;

    walk_start(&walk, curve->array);
    for (int64_t i = 0; walk_next(&walk, &number); i++)
        if (has_place(f, &number))
            cairo_line_to(cr, frame_x(f, place_of(f, curve, i)), frame_y(f, number.real));
        else
            cairo_new_sub_path(cr);
    cairo_stroke(cr);
}

/* A line from the least to the greatest element of each column, and on to the next column: what a
** line through all elements would cover, in a time that does not grow with them. */
static void plot_band(cairo_t *cr, const Frame *f, const Curve *curve)
{
    Walk walk;
    Number number;
    double least[COLUMNS], most[COLUMNS];

    for (int i = 0; i < COLUMNS; i++) {
        least[i] = INFINITY;
        most[i] = -INFINITY;
    }
    walk_start(&walk, curve->array);
    for (int64_t i = 0; walk_next(&walk, &number); i++) {
        double part = (frame_x(f, place_of(f, curve, i)) - f->left) / f->width;
        int column = (int)(part * COLUMNS);
        column = column < 0 ? 0 : column < COLUMNS ? column : COLUMNS - 1;
        if (has_place(f, &number)) {
            least[column] = fmin(least[column], number.real);
            most[column] = fmax(most[column], number.real);
        }
    }
    for (int i = 0; i < COLUMNS; i++) {
        double x = f->left + (i + 0.5) / COLUMNS * f->width;
        if (least[i] > most[i]) {
            if (!f->x.log) /* where columns have no element in between */
                cairo_new_sub_path(cr);
            continue;
        }
        cairo_line_to(cr, x, frame_y(f, least[i]));
        cairo_line_to(cr, x, frame_y(f, most[i]));
    }
    cairo_stroke(cr);
}

/* The names, in their colours, in the upper right corner. */
static void draw_legend(cairo_t *cr, const Frame *f, const Curve *curves, size_t count)
{
    enum { LINE = 16, EDGE = 8, SAMPLE = 18 };
    double widest = 0;
    cairo_set_font_size(cr, 12);
    for (size_t i = 0; i < count; i++) {
        cairo_text_extents_t size;
        cairo_text_extents(cr, curves[i].name, &size);
        widest = fmax(widest, size.width);
    }
    double left = f->left + f->width - widest - SAMPLE - 3 * EDGE, top = f->top + EDGE;
    cairo_set_source_rgba(cr, 1, 1, 1, 0.85);
    cairo_rectangle(cr, left, top, widest + SAMPLE + 2.5 * EDGE, (double)count * LINE + EDGE / 2.0);
    cairo_fill(cr);
    for (size_t i = 0; i < count; i++) {
        double middle = top + ((double)i + 0.6) * LINE;
        draw_color(cr, color_of_curve(i));
        cairo_set_line_width(cr, 2.5);
        cairo_move_to(cr, left + EDGE, middle);
        cairo_rel_line_to(cr, SAMPLE, 0);
        cairo_stroke(cr);
        draw_color(cr, 0x333333);
        cairo_move_to(cr, left + 1.5 * EDGE + SAMPLE, middle + 4);
        cairo_show_text(cr, curves[i].name);
    }
}

void draw_series(cairo_t *cr, const Frame *f, const Curve *curves, size_t count)
{
    cairo_save(cr);
    cairo_rectangle(cr, f->left, f->top, f->width, f->height);
    cairo_clip(cr);
    cairo_set_line_width(cr, 1.2);
    for (size_t i = 0; i < count; i++) {
        draw_color(cr, color_of_curve(i));
        if (series_has_bars(curves, count))
            plot_bars(cr, f, &curves[i]);
        else if (curves[i].array->shape[0] <= LINE_MOST)
            plot_line(cr, f, &curves[i]);
        else
            plot_band(cr, f, &curves[i]);
    }
    cairo_restore(cr);
    if (count > 1)
        draw_legend(cr, f, curves, count);
}
