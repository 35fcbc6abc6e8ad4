/* What the files that draw by cairo share. */
#pragma once

#include <cairo.h>

#include "cli/plot/plot.h"

/* ---- axes.c --------------------------------------------------------------------------------- */

typedef struct Axis {
    double from, to; /* left to right, bottom to top */
    bool log;
    const char *name; /* NULL: none */
} Axis;

/* The part of the page inside the axes. */
typedef struct Frame {
    double left, top, width, height;
    Axis x, y;
} Frame;

/* Where numbers lie on the page. */
double frame_x(const Frame *frame, double x);
double frame_y(const Frame *frame, double y);
/* Makes sure that an axis has a length, and with log is above 0. */
void axis_fix(Axis *axis);
void draw_color(cairo_t *cr, uint32_t color);
/* The axes around what was drawn, with ticks and names, and a title above it. */
void draw_axes(cairo_t *cr, const Frame *frame, const char *title);
/* The scale, in a rectangle, with numbers to its right. */
void draw_color_bar(cairo_t *cr, const ColorScale *scale, double left, double top, double width,
                    double height);

/* ---- series.c ------------------------------------------------------------------------------- */

/* Arrays of one dimension. `step`: how many indices are from an element to the next. */
typedef struct Curve {
    const char *name;
    const kjit_array *array;
    double step;
} Curve;

/* Widens axes so that they show all of the curve. */
void series_range(Frame *frame, const Curve *curves, size_t count, bool bars);
/* A single one that is short is drawn as bars. */
bool series_has_bars(const Curve *curves, size_t count);
void draw_series(cairo_t *cr, const Frame *frame, const Curve *curves, size_t count);

/* ---- page.c --------------------------------------------------------------------------------- */

/* What one rectangle of a page shows: curves, or a raster. */
typedef struct Panel {
    const char *title;
    const Curve *curves;
    size_t count; /* of them; 0: the raster */
    const Raster *raster;
    Frame frame; /* of curves: the panel's maker makes its axes */
} Panel;

/* Panels on a page of their own size. */
typedef struct Page {
    Panel *panels;
    size_t count, across;
    double panel_width, panel_height;
    bool bar; /* has a colour bar */
    ColorScale scale;
    const PlotStyle *style;
} Page;

/* Chooses the sizes for so many panels. */
void page_lay_out(Page *page);
double page_width(const Page *page);
double page_height(const Page *page);
void page_draw(cairo_t *cr, const Page *page);
/* Draws and writes it, as .svg or .png; an exit status. */
int page_write(const Page *page, const char *path);
