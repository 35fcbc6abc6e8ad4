/* Colours. Of maps for numbers: viridis (van der Walt, Smith) and cividis (Nunez, Anderton,
** Renslow) are perceptually even, from dark to light, and read by the colour-blind, too; coolwarm
** (Moreland) has two halves, about 0. Curves have the colours of Okabe and Ito. */
#include <math.h>

#include "cli/plot/plot.h"

enum { STOPS = 33, NOWHERE = 0xc0c0c0 };

/* 33 colours at equal distances, between which they are linear. */
static const struct {
    const char *name;
    bool halves; /* the middle stands for 0 */
    uint32_t stops[STOPS];
} maps[] = {
    { "viridis", false, { 0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086,
                          0x3e4989, 0x3b528b, 0x375b8d, 0x33638d, 0x2f6b8e, 0x2c728e, 0x297a8e,
                          0x26828e, 0x23898e, 0x21918c, 0x1f988b, 0x1fa088, 0x22a785, 0x28ae80,
                          0x32b67a, 0x3fbc73, 0x4ec36b, 0x5ec962, 0x70cf57, 0x84d44b, 0x98d83e,
                          0xaddc30, 0xc2df23, 0xd8e219, 0xece51b, 0xfde725 } },
    { "cividis", false, { 0x00224e, 0x00285b, 0x002e6a, 0x053371, 0x1a386f, 0x273e6e, 0x32436d,
                          0x3b496c, 0x434e6c, 0x4b546c, 0x535a6d, 0x5a5f6e, 0x61656f, 0x686a71,
                          0x6f7073, 0x767676, 0x7d7c78, 0x848279, 0x8c8878, 0x938e78, 0x9b9476,
                          0xa39a74, 0xaba072, 0xb4a76f, 0xbcae6c, 0xc4b468, 0xcdbb63, 0xd5c25e,
                          0xdec958, 0xe7d150, 0xf0d846, 0xf9e03a, 0xfee838 } },
    { "coolwarm", true, { 0x3b4cc0, 0x445acc, 0x4e68d7, 0x5775e1, 0x6282ea, 0x6c8ef1, 0x779af7,
                          0x82a5fb, 0x8db0fe, 0x98b9ff, 0xa3c2ff, 0xaec9fd, 0xb8d0f9, 0xc2d5f4,
                          0xccd9ed, 0xd5dbe6, 0xdddddc, 0xe5d8d1, 0xecd3c5, 0xf1ccb9, 0xf5c4ad,
                          0xf7bba0, 0xf7b193, 0xf6a687, 0xf4997b, 0xf18c6e, 0xeb7e63, 0xe57057,
                          0xdd604c, 0xd54f42, 0xcb3d38, 0xc0272f, 0xb40426 } },
    { "gray", false, { 0 } }, /* of its part of white */
};
enum { MAPS = sizeof maps / sizeof maps[0] };

int color_map_find(const char *name)
{
    for (int i = 0; i < MAPS; i++)
        if (!strcmp(maps[i].name, name))
            return i;
    return -1;
}

/* ---- a scale -------------------------------------------------------------------------------- */

ColorScale color_scale(const PlotStyle *style)
{
    return (ColorScale){
        .map = style->map, .log = style->log_color, .least = INFINITY, .most = -INFINITY
    };
}

void color_scale_put(ColorScale *scale, double number)
{
    if (!isfinite(number) || (scale->log && number <= 0))
        return;
    scale->least = fmin(scale->least, number);
    scale->most = fmax(scale->most, number);
}

void color_scale_fix(ColorScale *scale)
{
    if (scale->least > scale->most) {
        scale->least = scale->log ? 1 : 0;
        scale->most = scale->log ? 10 : 1;
    }
    if (maps[scale->map].halves && !scale->log) {
        scale->most = fmax(fabs(scale->least), fabs(scale->most));
        scale->least = -scale->most;
    }
}

static uint32_t mix(uint32_t from, uint32_t to, double part)
{
    uint32_t color = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double a = from >> shift & 0xff, b = to >> shift & 0xff;
        color = color << 8 | (uint32_t)lround(a + (b - a) * part);
    }
    return color;
}

uint32_t color_of_part(const ColorScale *scale, double part)
{
    double place = fmin(fmax(part, 0), 1);
    if (scale->map == color_map_find("gray"))
        return mix(0, 0xffffff, place);
    place *= STOPS - 1;
    int at = place >= STOPS - 1 ? STOPS - 2 : (int)place;
    const uint32_t *stops = maps[scale->map].stops;
    return mix(stops[at], stops[at + 1], place - at);
}

uint32_t color_of(const ColorScale *scale, double number)
{
    double low = scale->least, high = scale->most;
    if (isnan(number) || (scale->log && number <= 0))
        return NOWHERE;
    if (scale->log) {
        number = log10(number);
        low = log10(low);
        high = log10(high);
    }
    if (!(high > low)) /* all are the same: in the middle, unless beyond */
        return color_of_part(scale, number < low ? 0 : number > high ? 1 : 0.5);
    return color_of_part(scale, number / (high - low) - low / (high - low));
}

uint32_t color_of_curve(size_t index)
{
    static const uint32_t colors[] = { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                       0xe69f00, 0x56b4e9, 0x444444 };
    return colors[index % (sizeof colors / sizeof colors[0])];
}
