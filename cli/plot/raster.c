/* Arrays as few pixels. */
#include <math.h>

#include "cli/plot/plot.h"

/* What elements add to a pixel: numbers, or red, green and blue. */
typedef struct Sum {
    double part[3];
    uint32_t count;
} Sum;

static bool raster_is_image(const kjit_array *array)
{
    return array->rank == 3 && (array->shape[2] == 3 || array->shape[2] == 4);
}

bool raster_possible(const kjit_array *array)
{
    switch (array->dtype) {
    case KJIT_DTYPE_COMPLEX64:
    case KJIT_DTYPE_COMPLEX128:
    case KJIT_DTYPE_RECORD:
        return false;
    default:
        break;
    }
    bool shaped = array->rank == 1 || array->rank == 2 || raster_is_image(array);
    return shaped && array_count(array) > 0;
}

/* A part of a colour, from 0 to 255: floats are from 0 to 1, integers what they are. */
static double channel(const kjit_array *array, const Number *number)
{
    double value = number->real;
    if (array->dtype == KJIT_DTYPE_BOOL || number->kind == NUMBER_REAL)
        value *= 255;
    return isnan(value) ? 0 : fmin(fmax(value, 0), 255);
}

/* What is transparent shows white. */
static void add_color(Walk *walk, const kjit_array *array, Number first, Sum *sum)
{
    double part[4] = { channel(array, &first), 0, 0, 255 };
    for (int i = 1; i < array->shape[2]; i++) {
        Number number;
        walk_next(walk, &number);
        part[i] = channel(array, &number);
    }
    for (int i = 0; i < 3; i++)
        sum->part[i] += 255 + (part[i] - 255) * part[3] / 255;
    sum->count++;
}

static Sum *add_up(const kjit_array *array, const Raster *raster)
{
    size_t pixels = (size_t)raster->width * (size_t)raster->height;
    Sum *sums = must_alloc(pixels * sizeof *sums);
    Walk walk;
    Number number;

    memset(sums, 0, pixels * sizeof *sums);
    walk_start(&walk, array);
    for (int64_t i = 0; walk_next(&walk, &number); i++) {
        int64_t row = i / raster->columns / raster->step, column = i % raster->columns;
        Sum *sum = &sums[row * raster->width + column / raster->step];
        if (raster_is_image(array)) {
            add_color(&walk, array, number, sum);
        } else if (!isnan(number.real)) {
            sum->part[0] += number.real;
            sum->count++;
        }
    }
    return sums;
}

static uint32_t color_of_sum(const Sum *sum)
{
    uint32_t color = 0;
    for (int i = 0; i < 3; i++)
        color = color << 8 | (uint32_t)lround(sum->part[i] / sum->count);
    return color;
}

Raster raster_make(const kjit_array *array, int most_width, int most_height)
{
    Raster raster = { .columns = array->rank == 1 ? array->shape[0] : array->shape[1],
                      .rows = array->rank == 1 ? 1 : array->shape[0] };
    int64_t across = (raster.columns + most_width - 1) / most_width;
    int64_t down = (raster.rows + most_height - 1) / most_height;

    raster.step = across > down ? across : down;
    raster.width = (int)((raster.columns + raster.step - 1) / raster.step);
    raster.height = (int)((raster.rows + raster.step - 1) / raster.step);
    size_t pixels = (size_t)raster.width * (size_t)raster.height;
    Sum *sums = add_up(array, &raster);
    if (raster_is_image(array))
        raster.color = must_alloc(pixels * sizeof *raster.color);
    else
        raster.number = must_alloc(pixels * sizeof *raster.number);
    for (size_t i = 0; i < pixels; i++)
        if (raster.color)
            raster.color[i] = color_of_sum(&sums[i]);
        else
            raster.number[i] = sums[i].count ? (float)(sums[i].part[0] / sums[i].count) : NAN;
    free(sums);
    return raster;
}

void raster_free(Raster *raster)
{
    free(raster->number);
    free(raster->color);
    *raster = (Raster){ 0 };
}

void raster_put_scale(const Raster *raster, ColorScale *scale)
{
    int pixels = raster->width * raster->height;
    for (int i = 0; raster->number && i < pixels; i++)
        color_scale_put(scale, raster->number[i]);
}

uint32_t raster_pixel(const Raster *raster, const ColorScale *scale, int row, int column)
{
    int at = row * raster->width + column;
    return raster->color ? raster->color[at] : color_of(scale, raster->number[at]);
}
