/* Cairo, loaded when something is drawn: see cli/needed/needed.h. */
#include <cairo-svg.h>
#include <cairo.h>

#include "cli/needed/needed.h"

static Needed cairo = { .file = "libcairo.so.2", .package = "libcairo2", .purpose = "draw" };

NEEDED(cairo, void, cairo_arc,
       (cairo_t * cr, double xc, double yc, double radius, double angle1, double angle2),
       (cr, xc, yc, radius, angle1, angle2))
NEEDED(cairo, void, cairo_clip, (cairo_t * cr), (cr))
NEEDED(cairo, cairo_t *, cairo_create, (cairo_surface_t * target), (target))
NEEDED(cairo, void, cairo_destroy, (cairo_t * cr), (cr))
NEEDED(cairo, void, cairo_fill, (cairo_t * cr), (cr))
NEEDED(cairo, cairo_pattern_t *, cairo_get_source, (cairo_t * cr), (cr))
NEEDED(cairo, cairo_surface_t *, cairo_image_surface_create,
       (cairo_format_t format, int width, int height), (format, width, height))
NEEDED(cairo, unsigned char *, cairo_image_surface_get_data, (cairo_surface_t * surface), (surface))
NEEDED(cairo, int, cairo_image_surface_get_stride, (cairo_surface_t * surface), (surface))
NEEDED(cairo, void, cairo_line_to, (cairo_t * cr, double x, double y), (cr, x, y))
NEEDED(cairo, void, cairo_move_to, (cairo_t * cr, double x, double y), (cr, x, y))
NEEDED(cairo, void, cairo_new_path, (cairo_t * cr), (cr))
NEEDED(cairo, void, cairo_new_sub_path, (cairo_t * cr), (cr))
NEEDED(cairo, void, cairo_paint, (cairo_t * cr), (cr))
NEEDED(cairo, void, cairo_pattern_set_filter, (cairo_pattern_t * pattern, cairo_filter_t filter),
       (pattern, filter))
NEEDED(cairo, void, cairo_rectangle,
       (cairo_t * cr, double x, double y, double width, double height), (cr, x, y, width, height))
NEEDED(cairo, void, cairo_rel_line_to, (cairo_t * cr, double dx, double dy), (cr, dx, dy))
NEEDED(cairo, void, cairo_restore, (cairo_t * cr), (cr))
NEEDED(cairo, void, cairo_rotate, (cairo_t * cr, double angle), (cr, angle))
NEEDED(cairo, void, cairo_save, (cairo_t * cr), (cr))
NEEDED(cairo, void, cairo_scale, (cairo_t * cr, double sx, double sy), (cr, sx, sy))
NEEDED(cairo, void, cairo_select_font_face,
       (cairo_t * cr, const char *family, cairo_font_slant_t slant, cairo_font_weight_t weight),
       (cr, family, slant, weight))
NEEDED(cairo, void, cairo_set_font_size, (cairo_t * cr, double size), (cr, size))
NEEDED(cairo, void, cairo_set_line_width, (cairo_t * cr, double width), (cr, width))
NEEDED(cairo, void, cairo_set_source_rgb, (cairo_t * cr, double red, double green, double blue),
       (cr, red, green, blue))
NEEDED(cairo, void, cairo_set_source_rgba,
       (cairo_t * cr, double red, double green, double blue, double alpha),
       (cr, red, green, blue, alpha))
NEEDED(cairo, void, cairo_set_source_surface,
       (cairo_t * cr, cairo_surface_t *surface, double x, double y), (cr, surface, x, y))
NEEDED(cairo, void, cairo_show_text, (cairo_t * cr, const char *utf8), (cr, utf8))
NEEDED(cairo, const char *, cairo_status_to_string, (cairo_status_t status), (status))
NEEDED(cairo, void, cairo_stroke, (cairo_t * cr), (cr))
NEEDED(cairo, void, cairo_surface_destroy, (cairo_surface_t * surface), (surface))
NEEDED(cairo, void, cairo_surface_finish, (cairo_surface_t * surface), (surface))
NEEDED(cairo, void, cairo_surface_flush, (cairo_surface_t * surface), (surface))
NEEDED(cairo, void, cairo_surface_mark_dirty, (cairo_surface_t * surface), (surface))
NEEDED(cairo, cairo_status_t, cairo_surface_status, (cairo_surface_t * surface), (surface))
NEEDED(cairo, cairo_status_t, cairo_surface_write_to_png_stream,
       (cairo_surface_t * surface, cairo_write_func_t write_func, void *closure),
       (surface, write_func, closure))
NEEDED(cairo, cairo_surface_t *, cairo_svg_surface_create_for_stream,
       (cairo_write_func_t write_func, void *closure, double width_in_points,
        double height_in_points),
       (write_func, closure, width_in_points, height_in_points))
NEEDED(cairo, void, cairo_text_extents,
       (cairo_t * cr, const char *utf8, cairo_text_extents_t *extents), (cr, utf8, extents))
NEEDED(cairo, void, cairo_translate, (cairo_t * cr, double tx, double ty), (cr, tx, ty))
