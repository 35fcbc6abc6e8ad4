/* Axes: where numbers lie on them, ticks, names; colour bars. */
#include <math.h>

#include "cli/plot/draw.h"

enum { TICKS = 5, TICKS_MOST = 32, LABEL = 32, ROOM = 10 };

/* ---- numbers on an axis --------------------------------------------------------------------- */

static double along(const Axis *axis, double number)
{
    double from = axis->from, to = axis->to;
    if (axis->log) {
        from = log10(from);
        to = log10(to);
        number = number > 0 ? log10(number) : -INFINITY;
    }
    return (number - from) / (to - from);
}

double frame_x(const Frame *f, double x)
{
    return f->left + along(&f->x, x) * f->width;
}

double frame_y(const Frame *f, double y)
{
    return f->top + (1 - along(&f->y, y)) * f->height;
}

void axis_fix(Axis *axis)
{
    if (axis->log && !(axis->from > 0 && isfinite(axis->to))) {
        axis->from = 1;
        axis->to = 10;
    } else if (axis->log && axis->from == axis->to) {
        axis->from /= 2;
        axis->to *= 2;
    } else if (!axis->log && !(axis->to - axis->from > 0)) {
        double middle = isfinite(axis->from) ? axis->from : 0;
        double margin = fmax(1, fabs(middle) * 1e-6);
        axis->from = middle - margin;
        axis->to = middle + margin;
    }
}

/* ---- ticks ---------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, so that about TICKS of them make `range`. */
static double tick_step(double range)
{
    double rough = range / TICKS, power = pow(10, floor(log10(rough)));
    double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

static int linear_ticks(double low, double high, double at[TICKS_MOST])
{
    double step = tick_step(high - low);
    int count = 0;
    for (double i = ceil(low / step - 1e-9); i * step <= high + step / 1e6; i++)
        if (count < TICKS_MOST)
            at[count++] = i == 0 ? 0 : i * step;
    return count;
}

/* Powers of ten, each or every so many; with 2 and 5 times them where there are few. */
static int log_ticks(double low, double high, double at[TICKS_MOST])
{
    double decades = log10(high / low), every = ceil(decades / (2 * TICKS));
    int count = 0;
    for (double power = floor(log10(low)); power <= log10(high) + 1e-9; power += every)
        for (int times = 1; times <= (decades < 3 ? 5 : 1); times += times == 2 ? 3 : 1) {
            double tick = times * pow(10, power);
            if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9) && count < TICKS_MOST)
                at[count++] = tick;
        }
    return count > 1 ? count : linear_ticks(low, high, at);
}

static int ticks_of(const Axis *axis, double at[TICKS_MOST])
{
    double low = fmin(axis->from, axis->to), high = fmax(axis->from, axis->to);
    return axis->log ? log_ticks(low, high, at) : linear_ticks(low, high, at);
}

/* ---- drawing -------------------------------------------------------------------------------- */

void draw_color(cairo_t *cr, uint32_t color)
{
    cairo_set_source_rgb(cr, (color >> 16) / 255.0, (color >> 8 & 0xff) / 255.0,
                         (color & 0xff) / 255.0);
}

/* Text at a point, moved by parts of its own size. */
static void draw_text(cairo_t *cr, double x, double y, double right, double down, const char *text)
{
    cairo_text_extents_t size;
    cairo_text_extents(cr, text, &size);
    cairo_move_to(cr, x - right * size.width, y + down * size.height);
    cairo_show_text(cr, text);
}

/* Labels that would touch the one before are left out. */
static void draw_x_ticks(cairo_t *cr, const Frame *f)
{
    double at[TICKS_MOST], bottom = f->top + f->height, end = -INFINITY;
    int count = ticks_of(&f->x, at);
    for (int i = 0; i < count; i++) {
        char label[LABEL];
        cairo_text_extents_t size;
        double x = frame_x(f, at[i]);
        cairo_move_to(cr, x, bottom);
        cairo_rel_line_to(cr, 0, 5);
        cairo_stroke(cr);
        snprintf(label, sizeof label, "%.6g", at[i]);
        cairo_text_extents(cr, label, &size);
        if (x - size.width / 2 < end + ROOM / 2.0)
            continue;
        draw_text(cr, x, bottom + 10, 0.5, 1, label);
        end = x + size.width / 2;
    }
    if (f->x.name)
        draw_text(cr, f->left + f->width / 2, bottom + 26, 0.5, 1, f->x.name);
}

/* The width of the widest label. */
static double draw_y_ticks(cairo_t *cr, const Frame *f)
{
    double at[TICKS_MOST], widest = 0;
    int count = ticks_of(&f->y, at);
    for (int i = 0; i < count; i++) {
        char label[LABEL];
        cairo_text_extents_t size;
        double y = frame_y(f, at[i]);
        cairo_move_to(cr, f->left, y);
        cairo_rel_line_to(cr, -5, 0);
        cairo_stroke(cr);
        snprintf(label, sizeof label, "%.6g", at[i]);
        cairo_text_extents(cr, label, &size);
        widest = fmax(widest, size.width);
        draw_text(cr, f->left - 9, y, 1, 0.5, label);
    }
    return widest;
}

static void draw_y_name(cairo_t *cr, const Frame *f, double right)
{
    cairo_text_extents_t size;
    cairo_text_extents(cr, f->y.name, &size);
    cairo_save(cr);
    cairo_translate(cr, fmax(right - 8, size.height), f->top + f->height / 2);
    cairo_rotate(cr, -M_PI / 2);
    cairo_move_to(cr, -size.width / 2, 0);
    cairo_show_text(cr, f->y.name);
    cairo_restore(cr);
}

/* A title that fits the panel. */
static void draw_title(cairo_t *cr, const Frame *f, const char *title)
{
    cairo_text_extents_t size;
    cairo_set_font_size(cr, 14);
    cairo_text_extents(cr, title, &size);
    if (size.width > f->width + 40)
        cairo_set_font_size(cr, fmax(8, 14 * (f->width + 40) / size.width));
    draw_text(cr, f->left + f->width / 2, f->top - 12, 0.5, 0, title);
}

void draw_axes(cairo_t *cr, const Frame *f, const char *title)
{
    draw_color(cr, 0x333333);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, f->left, f->top, f->width, f->height);
    cairo_stroke(cr);
    if (title)
        draw_title(cr, f, title);
    cairo_set_font_size(cr, 11);
    draw_x_ticks(cr, f);
    double widest = draw_y_ticks(cr, f);
    if (f->y.name)
        draw_y_name(cr, f, f->left - 9 - widest);
}

/* ---- colour bars ---------------------------------------------------------------------------- */

void draw_color_bar(cairo_t *cr, const ColorScale *scale, double left, double top, double width,
                    double height)
{
    enum { STRIPES = 128 };
    Frame shown = { .left = left,
                    .top = top,
                    .width = width,
                    .height = height,
                    .y = { scale->least, scale->most, scale->log, NULL } };
    double at[TICKS_MOST];

    for (int i = STRIPES - 1; i >= 0; i--) {
        draw_color(cr, color_of_part(scale, (i + 0.5) / STRIPES));
        double high = top + height * (STRIPES - 1 - i) / STRIPES;
        cairo_rectangle(cr, left, high, width, top + height - high); /* the next lies on top */
        cairo_fill(cr);
    }
    axis_fix(&shown.y);
    draw_color(cr, 0x333333);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, left, top, width, height);
    cairo_stroke(cr);
    cairo_set_font_size(cr, 11);
    int count = ticks_of(&shown.y, at);
    for (int i = 0; i < count; i++) {
        char label[LABEL];
        double y = frame_y(&shown, at[i]);
        cairo_move_to(cr, left + width, y);
        cairo_rel_line_to(cr, 5, 0);
        cairo_stroke(cr);
        snprintf(label, sizeof label, "%.6g", at[i]);
        draw_text(cr, left + width + 9, y, 0, 0.5, label);
    }
}
