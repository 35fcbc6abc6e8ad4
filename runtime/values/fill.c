/* Arrays of numbers: constant, or in a line. Large ones are filled in parts, by several threads:
** each element depends on its place alone. */
#include "runtime/share.h"
#include "runtime/values/values.h"

void fill_scalar(const kjit_array *array, const kjit_arg *scalar)
{
    size_t element = array_item_bytes(array);
    size_t bytes = element * (size_t)array_elements(array);

    if (!bytes)
        return;
    if (array->dtype == KJIT_DTYPE_RECORD) {
        fill_record(array->record, array->data, scalar);
    } else {
        kjit_arg cast = scalar_cast(scalar, array->dtype);
        scalar_store(&cast, array->data);
    }
    for (size_t done = element; done < bytes; done *= 2)
        memcpy((char *)array->data + done, array->data, done < bytes - done ? done : bytes - done);
}

void store_numbers(const kjit_array *array, int64_t first, const double *numbers, int64_t count)
{
    size_t element = kjit_dtype_bytes(array->dtype);
    char *to = (char *)array->data + element * (size_t)first;

    if (array->dtype == KJIT_DTYPE_FLOAT64) {
        memcpy(to, numbers, element * (size_t)count);
    } else if (array->dtype == KJIT_DTYPE_FLOAT32) {
        for (int64_t i = 0; i < count; i++)
            ((float *)(void *)to)[i] = (float)numbers[i];
    } else {
        for (int64_t i = 0; i < count; i++) {
            kjit_arg scalar = { .kind = KJIT_ARG_SCALAR, .dtype = KJIT_DTYPE_FLOAT64 };
            scalar.as.number = numbers[i];
            scalar = scalar_cast(&scalar, array->dtype);
            scalar_store(&scalar, to + element * (size_t)i);
        }
    }
}

void store_integers(const kjit_array *array, int64_t first, const int64_t *integers, int64_t count)
{
    size_t element = kjit_dtype_bytes(array->dtype);
    char *to = (char *)array->data + element * (size_t)first;

    if (array->dtype == KJIT_DTYPE_INT64) {
        memcpy(to, integers, element * (size_t)count);
    } else if (array->dtype == KJIT_DTYPE_INT32) {
        for (int64_t i = 0; i < count; i++)
            ((int32_t *)(void *)to)[i] = (int32_t)integers[i];
    } else {
        for (int64_t i = 0; i < count; i++) {
            kjit_arg scalar = kjit_arg_int64(integers[i]);
            scalar = scalar_cast(&scalar, array->dtype);
            scalar_store(&scalar, to + element * (size_t)i);
        }
    }
}

int64_t fill_parts(const kjit_array *array)
{
    return (array_elements(array) + FILL_PART - 1) / FILL_PART;
}

FillPart fill_part(const kjit_array *array, int64_t part)
{
    int64_t count = array_elements(array), begin = part * FILL_PART;

    return (FillPart){ begin, count - begin < FILL_PART ? count : begin + FILL_PART };
}

/* ---- in a line ------------------------------------------------------------------------- */

typedef struct Line {
    const kjit_array *array;
    double start, step, stop; /* of floats */
    uint64_t first, by;       /* of integers */
    bool integers;
    int64_t last; /* the element that is `stop` itself; -1: none is */
} Line;

static void fill_integers_of(const Line *line, int64_t at, int64_t count)
{
    int64_t integers[FILL_CHUNK];

    for (int64_t i = 0; i < count; i++)
        integers[i] = (int64_t)(line->first + (uint64_t)(at + i) * line->by);
    store_integers(line->array, at, integers, count);
}

static void fill_numbers_of(const Line *line, int64_t at, int64_t count)
{
    double numbers[FILL_CHUNK];

    for (int64_t i = 0; i < count; i++)
        numbers[i] =
            at + i == line->last ? line->stop : line->start + (double)(at + i) * line->step;
    store_numbers(line->array, at, numbers, count);
}

static void fill_line_part(void *job, int64_t part)
{
    const Line *line = job;
    FillPart range = fill_part(line->array, part);

    for (int64_t at = range.begin; at < range.end; at += FILL_CHUNK) {
        int64_t left = range.end - at, count = left < FILL_CHUNK ? left : FILL_CHUNK;
        if (line->integers)
            fill_integers_of(line, at, count);
        else
            fill_numbers_of(line, at, count);
    }
}

void fill_range(const kjit_array *array, const kjit_arg *start, const kjit_arg *step)
{
    Line line = { .array = array,
                  .start = scalar_cast(start, KJIT_DTYPE_FLOAT64).as.number,
                  .step = scalar_cast(step, KJIT_DTYPE_FLOAT64).as.number,
                  .last = -1 };

    line.integers = !dtype_is_float(start->dtype) && !dtype_is_float(step->dtype);
    if (line.integers) {
        line.first = (uint64_t)start->as.integer;
        line.by = (uint64_t)step->as.integer;
    }
    share_out(fill_parts(array), fill_line_part, &line);
}

void fill_line(const kjit_array *array, double start, double stop, bool endpoint)
{
    int64_t count = array_elements(array), parts = endpoint ? count - 1 : count;
    Line line = { .array = array,
                  .start = start,
                  .step = parts > 0 ? (stop - start) / (double)parts : 0,
                  .stop = stop,
                  .last = endpoint && parts > 0 ? parts : -1 };

    share_out(fill_parts(array), fill_line_part, &line);
}
