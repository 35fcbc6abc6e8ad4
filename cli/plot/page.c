/* Pages of panels, and the files they are written to. */
#include <cairo-svg.h>
#include <math.h>

#include "cli/plot/draw.h"

enum { RIGHT = 24, TOP = 36, BAR = 18, BAR_ROOM = 96, PIXELS_MOST = 2048, TITLE = 256 };

/* ---- the layout ----------------------------------------------------------------------------- */

void page_lay_out(Page *page)
{
    size_t count = page->count;
    bool few = count <= 1, some = count <= 4;

    page->across = some ? count : count <= 8 ? (count + 1) / 2 : 6;
    page->panel_width = few ? 720 : some ? 460 : 300;
    page->panel_height = few ? 450 : some ? 380 : 280;
    page->bar = false;
    for (size_t i = 0; i < count; i++)
        page->bar = page->bar || (page->panels[i].raster && page->panels[i].raster->number);
    if (page->bar && few)
        page->panel_width -= BAR_ROOM - 20;
}

double page_width(const Page *page)
{
    return (double)page->across * page->panel_width + (page->bar ? BAR_ROOM : 0);
}

double page_height(const Page *page)
{
    return (double)((page->count + page->across - 1) / page->across) * page->panel_height;
}

static Frame frame_in(const Page *page, size_t index)
{
    const Frame given = page->panels[index].frame;
    double left = (double)(index % page->across) * page->panel_width;
    double top = (double)(index / page->across) * page->panel_height;
    double edge = given.y.name ? 84 : 64, foot = given.x.name ? 56 : 40;
    return (Frame){ .left = left + edge,
                    .top = top + TOP,
                    .width = page->panel_width - edge - RIGHT,
                    .height = page->panel_height - TOP - foot,
                    .x = given.x,
                    .y = given.y };
}

/* ---- rasters -------------------------------------------------------------------------------- */

static cairo_surface_t *surface_of(const Raster *raster, const ColorScale *scale)
{
    cairo_surface_t *image =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, raster->width, raster->height);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    if (!pixels)
        return image;
    cairo_surface_flush(image);
    for (int row = 0; row < raster->height; row++)
        for (int column = 0; column < raster->width; column++) {
            uint32_t color = raster_pixel(raster, scale, row, column);
            memcpy(pixels + row * cairo_image_surface_get_stride(image) + column * 4, &color,
                   sizeof color);
        }
    cairo_surface_mark_dirty(image);
    return image;
}

/* Elements are squares, unless the array is so long that they would not be seen. */
static void fit(Frame *f, const Raster *raster)
{
    double rows = (double)raster->rows, columns = (double)raster->columns;
    double cell = fmin(f->width / columns, f->height / rows);
    double width = fmax(cell * columns, fmin(40, f->width));
    double height = fmax(cell * rows, fmin(40, f->height));
    f->left += (f->width - width) / 2;
    f->width = width;
    f->height = height;
    f->x.from = 0;
    f->x.to = columns;
    f->y.from = rows;
    f->y.to = 0;
    f->x.log = f->y.log = false;
}

static void draw_raster(cairo_t *cr, const Frame *f, const Raster *raster, const ColorScale *scale)
{
    cairo_surface_t *image = surface_of(raster, scale);
    cairo_save(cr);
    cairo_rectangle(cr, f->left, f->top, f->width, f->height);
    cairo_clip(cr);
    cairo_translate(cr, f->left, f->top); /* the last pixels may stand for fewer elements */
    cairo_scale(cr, f->width / (double)raster->columns * (double)raster->step,
                f->height / (double)raster->rows * (double)raster->step);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image);
}

void page_draw(cairo_t *cr, const Page *page)
{
    draw_color(cr, 0xffffff);
    cairo_paint(cr);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    for (size_t i = 0; i < page->count; i++) {
        const Panel *panel = &page->panels[i];
        Frame f = frame_in(page, i);
        if (panel->raster) {
            fit(&f, panel->raster);
            draw_raster(cr, &f, panel->raster, &page->scale);
        } else {
            draw_series(cr, &f, panel->curves, panel->count);
        }
        draw_axes(cr, &f, panel->title);
    }
    double height = fmin(page_height(page), page->panel_height) - TOP - 56;
    if (page->bar)
        draw_color_bar(cr, &page->scale, page_width(page) - BAR_ROOM + 8, TOP, BAR, height);
}

/* ---- files ---------------------------------------------------------------------------------- */

static cairo_status_t put_bytes(void *file, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                    : CAIRO_STATUS_WRITE_ERROR;
}

int page_write(const Page *page, const char *path)
{
    bool svg = ends_in(path, ".svg");
    double width = page_width(page), height = page_height(page);
    Draft out;
    draft_open(&out);
    cairo_surface_t *surface =
        svg ? cairo_svg_surface_create_for_stream(put_bytes, out.file, width, height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(2 * width), (int)(2 * height));
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, svg ? 1 : 2, svg ? 1 : 2);
    page_draw(cr, page);
    cairo_destroy(cr);
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

/* ---- arrays --------------------------------------------------------------------------------- */

int plot_check(const char *path, const PlotItem *items, size_t count)
{
    if (!ends_in(path, ".svg") && !ends_in(path, ".png") && !movie_named(path))
        return bad_usage("--plot writes .svg, .png, .gif and .mp4 files, not '%s'", path);
    for (size_t i = 0; i < count; i++) {
        if (raster_possible(items[i].array))
            continue;
        return bad_usage(
            "--plot %s: only arrays of one or two dimensions, or images of shape [h, w, 3], "
            "of real numbers and with something in them, can be drawn",
            items[i].name);
    }
    return EXIT_DONE;
}

/* "plate  float64[96, 96]" */
static void title_of(char title[TITLE], const PlotItem *item)
{
    const kjit_array *array = item->array;
    int used = snprintf(title, TITLE, "%.160s  %s[", item->name, kjit_dtype_name(array->dtype));
    for (int axis = 0; axis < array->rank; axis++)
        used += snprintf(title + used, TITLE - (size_t)used, "%s%lld", axis ? ", " : "",
                         (long long)array->shape[axis]);
    snprintf(title + used, TITLE - (size_t)used, "]");
}

static Panel curves_panel(const PlotStyle *style, const Curve *curves, size_t count,
                          const char *title)
{
    Panel panel = { .title = count == 1 ? title : NULL, .curves = curves, .count = count };
    panel.frame.x = (Axis){ 0, 0, style->log_x, style->x ? style->x : "index" };
    panel.frame.y = (Axis){ INFINITY, -INFINITY, style->log_y, style->y };
    series_range(&panel.frame, curves, count, series_has_bars(curves, count));
    axis_fix(&panel.frame.y);
    return panel;
}

static Panel raster_panel(const PlotStyle *style, const Raster *raster, const char *title)
{
    Panel panel = { .title = title, .raster = raster };
    panel.frame.x.name = style->x ? style->x : "column";
    panel.frame.y.name = style->y ? style->y : "row";
    return panel;
}

int plot_arrays(const char *path, const PlotItem *items, size_t count, const PlotStyle *style)
{
    char(*titles)[TITLE] = must_alloc(count * sizeof *titles);
    Curve *curves = must_alloc(count * sizeof *curves);
    Raster *rasters = must_alloc(count * sizeof *rasters);
    Page page = { .panels = must_alloc(count * sizeof *page.panels),
                  .scale = color_scale(style),
                  .style = style };
    size_t curve_count = 0, raster_count = 0, of_curve = 0;

    for (size_t i = 0; i < count; i++) {
        title_of(titles[i], &items[i]);
        if (items[i].array->rank != 1)
            continue;
        of_curve = i;
        curves[curve_count++] = (Curve){ items[i].name, items[i].array, 1 };
    }
    if (curve_count)
        page.panels[page.count++] = curves_panel(style, curves, curve_count, titles[of_curve]);
    for (size_t i = 0; i < count; i++) {
        if (items[i].array->rank == 1)
            continue;
        Raster *raster = &rasters[raster_count++];
        *raster = raster_make(items[i].array, PIXELS_MOST, PIXELS_MOST);
        raster_put_scale(raster, &page.scale);
        page.panels[page.count++] = raster_panel(style, raster, titles[i]);
    }
    color_scale_fix(&page.scale);
    page_lay_out(&page);
    int status = page_write(&page, path);
    for (size_t i = 0; i < raster_count; i++)
        raster_free(&rasters[i]);
    free(titles);
    free(curves);
    free(rasters);
    free(page.panels);
    return status;
}
