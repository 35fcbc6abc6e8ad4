/* What a launch shows beyond the types of its arguments, for which variants of a kernel are
** compiled, and which of these it gets: ir/launch.h says what each fact means. */
#include "runtime/launch/variant.h"
#include "runtime/array/array.h"

#include <math.h>

/* With more arrays, none counts as alone. */
enum { FEW_ARRAYS = 16 };
/* What elements and threads together may reach. */
enum { NARROW_LIMIT = INT32_MAX - 2 * NARROW_SLACK };

/* The bytes of an array that is an argument, or lies in one. */
typedef struct Extent {
    uintptr_t low, high;
    int param; /* that it is, or lies in */
    bool inside;
} Extent;

typedef struct Survey {
    IrFacts *facts;
    uint64_t threads; /* of the grid along its longest axis */
    bool own_memory;  /* host arrays are copied to memory of the device's */
    Extent arrays[FEW_ARRAYS];
    int count;
    const kjit_array *first[KJIT_RANK_MAX + 1]; /* the first argument of so many axes */
    const kjit_array *largest;                  /* that is an argument */
    uint64_t elements;                          /* its */
} Survey;

static void set_bit(uint64_t *set, int param)
{
    if (param < LAUNCH_PARAMS)
        *set |= UINT64_C(1) << param;
}

/* ---- one array ------------------------------------------------------------------------------ */

/* How an array lies in memory. */
typedef struct Measure {
    int64_t low, high;          /* bytes, its first element being at 0 */
    uint64_t elements, spanned; /* its own, and those that fit where it lies */
    uint64_t row;               /* bytes of a whole row, or column; 0: it has none */
} Measure;

/* An array whose rows lie whole, which nearly all are; false if it is another. */
static bool measure_rows(const kjit_array *array, size_t item, Measure *measure)
{
    uint64_t elements = 1;

    for (int i = array->rank; i-- > 0;) {
        if (array->strides[i] != (int64_t)(item * elements) || array->shape[i] <= 0)
            return false;
        elements *= (uint64_t)array->shape[i];
    }
    *measure = (Measure){ 0, (int64_t)(elements * item), elements, elements, 16 };
    if (array->rank > 1)
        measure->row = item * (uint64_t)array->shape[array->rank - 1];
    return true;
}

static void measure_any(const kjit_array *array, size_t item, Measure *measure)
{
    ArrayLayout layout = array_layout(array);

    array_span(array, &measure->low, &measure->high);
    measure->elements = (uint64_t)array_elements(array);
    measure->spanned = (uint64_t)(measure->high - measure->low) / item;
    measure->row = layout == LAYOUT_A ? 0 : 16;
    if (layout != LAYOUT_A && array->rank > 1)
        measure->row = item * (uint64_t)array->shape[layout == LAYOUT_C ? array->rank - 1 : 0];
}

static void survey_size(Survey *s, const kjit_array *array, uint64_t spanned)
{
    uint64_t longest = spanned;

    for (int i = 0; i < array->rank; i++)
        longest = (uint64_t)array->shape[i] > longest ? (uint64_t)array->shape[i] : longest;
    if (longest > NARROW_LIMIT || s->threads > NARROW_LIMIT - longest)
        s->facts->narrow = false;
}

static void add_extent(Survey *s, uintptr_t low, uintptr_t high, int param, bool inside)
{
    if (s->count < FEW_ARRAYS)
        s->arrays[s->count] = (Extent){ low, high, param, inside };
    s->count++;
}

/* Of bytes, as no others are asked. */
static bool is_short(const kjit_array *array, size_t item)
{
    if (item != 1)
        return false;
    for (int i = 0; i < array->rank; i++)
        if (array->shape[i] > SHORT_AXIS)
            return false;
    return true;
}

static bool is_long(const kjit_array *array, uint64_t item)
{
    for (int i = 0; i < array->rank; i++)
        if (array->shape[i] < LONG_AXIS && (array->rank < 3 || array->strides[i] == (int64_t)item))
            return false;
    return true;
}

/* Whether an array has the extents of the first of as many axes, which is another. */
static bool is_alike(Survey *s, const kjit_array *array)
{
    const kjit_array *first = s->first[array->rank];

    if (!first)
        s->first[array->rank] = array;
    return first && array->rank > 1 &&
           memcmp(first->shape, array->shape, sizeof array->shape[0] * (size_t)array->rank) == 0;
}

/* Of the last axis. */
static void survey_width(IrFacts *facts, int64_t width, int param)
{
    if (width <= SLIM_AXIS)
        set_bit(&facts->rows_to_1024, param);
    if (width == 2)
        set_bit(&facts->width_2, param);
    if (width == 3)
        set_bit(&facts->width_3, param);
    if (width == 4)
        set_bit(&facts->width_4, param);
    if (width == 6)
        set_bit(&facts->width_6, param);
}

/* Whether rows are 2 or 4 elements of fewer than 16 bytes, as points and pixels are. */
static bool has_short_rows(const kjit_array *array, uint64_t bytes)
{
    int64_t width = array->rank > 1 ? array->shape[array->rank - 1] : 0;
    return (width == 2 || width == 4) && bytes < 16 && 16 % bytes == 0;
}

static void survey_array(Survey *s, const kjit_array *array, int param, bool inside)
{
    size_t item = array_item_bytes(array);
    uintptr_t data = (uintptr_t)array->data;
    Measure measure;

    bool whole = measure_rows(array, item, &measure);
    if (!whole)
        measure_any(array, item, &measure);
    survey_size(s, array, measure.spanned);
    add_extent(s, data + (uintptr_t)measure.low, data + (uintptr_t)measure.high, param, inside);
    if (inside)
        return;
    if (!s->largest || measure.elements > s->elements) {
        s->largest = array;
        s->elements = measure.elements;
    }
    if (measure.elements - 1 < ELEMENTS_8192)
        set_bit(&s->facts->elements_to_8192, param);
    if (measure.elements - 1 < ELEMENTS_4096)
        set_bit(&s->facts->elements_to_4096, param);
    if (measure.elements - 1 < ELEMENTS_256)
        set_bit(&s->facts->elements_to_256, param);
    if (is_short(array, item))
        set_bit(&s->facts->axes_to_32768, param);
    if (array->rank > 1)
        survey_width(s->facts, array->shape[array->rank - 1], param);
    if (is_long(array, item))
        set_bit(&s->facts->axes_from_128, param);
    if (is_alike(s, array))
        set_bit(&s->facts->alike, param);
    bool moved = s->own_memory && !(array->flags & KJIT_ON_DEVICE);
    bool even = measure.row % 16 == 0 && (measure.row || !measure.elements);
    if ((moved || data % 16 == 0) && even)
        set_bit(&s->facts->aligned, param);
    if ((moved || data % 16 == 0) && whole && has_short_rows(array, measure.row))
        set_bit(&s->facts->short_rows, param);
}

/* ---- scalars --------------------------------------------------------------------------------- */

static void survey_scalar(Survey *s, const kjit_arg *arg, int param)
{
    const Type *type = dtype_type(arg->dtype);

    if (!type || !type_is_integer(type))
        return;
    if (arg->as.integer < 0 && !type_is_signed(type))
        return; /* the bits of a great number */
    if (arg->as.integer > -LIMIT_30_BITS && arg->as.integer < LIMIT_30_BITS)
        set_bit(&s->facts->scalars_30_bits, param);
    if (arg->as.integer <= SHORT_AXIS)
        set_bit(&s->facts->axes_to_32768, param);
    if (arg->as.integer <= SLIM_AXIS)
        set_bit(&s->facts->rows_to_1024, param);
    if (arg->as.integer >= LONG_AXIS)
        set_bit(&s->facts->axes_from_128, param);
    if (arg->as.integer > 0)
        set_bit(&s->facts->positive_scalars, param);
    if (arg->as.integer % 4 == 0)
        set_bit(&s->facts->multiples_4, param);
    if (arg->as.integer % 16 == 0)
        set_bit(&s->facts->multiples_16, param);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void survey_arg(Survey *s, const kjit_arg *arg, int param, bool inside)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        survey_array(s, &arg->as.array, param, inside);
    else if (arg->kind == KJIT_ARG_SCALAR && !inside)
        survey_scalar(s, arg, param);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        survey_arg(s, &arg->as.tuple.items[i], param, true);
}

/* Nothing has a byte in common with what is empty. */
static bool meet(const Extent *a, const Extent *b)
{
    return a->low < b->high && b->low < a->high && a->low < a->high && b->low < b->high;
}

static bool meets_another(const Survey *s, int i)
{
    for (int k = 0; k < s->count; k++)
        if (k != i && meet(&s->arrays[i], &s->arrays[k]))
            return true;
    return false;
}

/* A tuple's arrays may be alone one by one, which says nothing of the tuple. */
static void mark_alone(Survey *s, const Extent *array)
{
    if (!array->inside)
        set_bit(&s->facts->alone, array->param);
}

/* What shares bytes with another keeps only the alignment that its own address has: it is not
** moved by itself. */
static void survey_overlaps(Survey *s)
{
    if (s->count > FEW_ARRAYS) {
        s->facts->aligned = s->own_memory ? 0 : s->facts->aligned;
        s->facts->short_rows = s->own_memory ? 0 : s->facts->short_rows;
        return;
    }
    for (int i = 0; i < s->count; i++) {
        const Extent *array = &s->arrays[i];
        if (!meets_another(s, i))
            mark_alone(s, array);
        else if (array->low % 16 != 0 && array->param < LAUNCH_PARAMS) {
            s->facts->aligned &= ~(UINT64_C(1) << array->param);
            s->facts->short_rows &= ~(UINT64_C(1) << array->param);
        }
    }
}

static uint64_t threads_along(const kjit_launch_config *config, int axis)
{
    return (uint64_t)(config->grid[axis] ? config->grid[axis] : 1) *
           (config->block[axis] ? config->block[axis] : 1);
}

/* Of so many threads along each axis; NULL: that is not known. */
static unsigned grid_size_of(const uint64_t threads[3])
{
    uint64_t all = 1;
    unsigned size = GRID_BROAD;

    for (int i = 0; threads && i < 3; i++) {
        uint64_t along = threads[i];
        all = along > GRID_THREADS_64 || all * along > GRID_THREADS_64 ? GRID_THREADS_64
                                                                       : all * along;
        size |= along >= GRID_ALONG ? GRID_X_64 << i : 0;
        size |= along >= GRID_CHANNELS ? GRID_X_32 << i : 0;
        if (along >= GRID_ALONG && along < GRID_TILE)
            size &= ~(unsigned)GRID_BROAD;
    }
    size |= all >= GRID_THREADS_4 ? GRID_COARSENS_4 : 0;
    size |= all >= 32768 ? GRID_FROM_32768 : 0;
    size |= threads && all < 8192 ? GRID_BELOW_8192 : 0;
    size |= threads && all < 1024 ? GRID_BELOW_1024 : 0;
    size |= threads && all <= 256 ? GRID_TO_256 : 0;
    size |= all >= GRID_THREADS_8 ? GRID_COARSENS_8 : 0;
    size |= all >= GRID_THREADS_16 ? GRID_COARSENS_16 : 0;
    return size | (all >= GRID_THREADS_64 ? GRID_COARSENS_64 : 0);
}

static unsigned grid_size_of_launch(const kjit_launch_config *config)
{
    uint64_t threads[3] = { 0 };

    for (int i = 0; config && i < 3; i++)
        threads[i] = threads_along(config, i);
    return grid_size_of(config ? threads : NULL);
}

/* Of a grid with a thread for each element of an array: one of one axis is taken to have as many
** rows as columns, as the kernel has in mind. */
static unsigned grid_size_of_array(const kjit_array *array, uint64_t elements)
{
    enum { TALL = 65535 };
    uint64_t threads[3] = { 1, 1, 1 };

    if (!array || !elements)
        return 0;
    if (array->rank < 2) {
        threads[0] = threads[1] = (uint64_t)sqrt((double)elements);
        return grid_size_of(threads);
    }
    for (int i = 0; i < array->rank; i++)
        threads[array->rank - 1 - i < 3 ? array->rank - 1 - i : 2] *= (uint64_t)array->shape[i];
    return grid_size_of(threads) | (threads[1] > TALL || threads[2] > TALL ? GRID_TALL : 0);
}

unsigned grid_size_of_processor(const kjit_launch_config *config, int workers)
{
    uint64_t along = config ? threads_along(config, 0) : 0;
    bool few = along > GRID_SHORT && along < (uint64_t)workers * GRID_LONG;
    unsigned size = along && along < 8192 ? GRID_ALL | GRID_BELOW_8192 : GRID_ALL;

    size |= grid_size_of_launch(config) & (GRID_BELOW_1024 | GRID_TO_256);
    return few ? size & ~(unsigned)GRID_TILES : size;
}

void facts_of_launch(const kjit_arg *args, size_t count, const kjit_launch_config *config,
                     const Device *device, IrFacts *facts)
{
    uint64_t blocks = 1;
    Survey s = { .facts = facts, .own_memory = !device->ops->host_memory };

    *facts = (IrFacts){ 0 };
    for (int i = 0; config && i < 3; i++) {
        uint64_t grid = config->grid[i] ? config->grid[i] : 1;
        facts->block[i] = config->block[i] ? config->block[i] : 1;
        blocks *= grid;
        s.threads = grid * facts->block[i] > s.threads ? grid * facts->block[i] : s.threads;
    }
    facts->blocks_from_4096 = config && blocks >= BLOCKS_4096;
    facts->narrow = s.threads <= NARROW_THREADS - NARROW_SLACK;
    for (size_t i = 0; i < count; i++)
        survey_arg(&s, &args[i], (int)i, false);
    survey_overlaps(&s);
    facts->grid_size = grid_size_of_launch(config);
    facts->array_size = grid_size_of_array(s.largest, s.elements);
}

/* ---- which variant a launch gets ----------------------------------------------------------- */

static bool has_key(const Specialisation *spec, const VariantKey *key)
{
    return spec->block_threads == key->block_threads && spec->key_length == key->length &&
           memcmp(spec->key, key->words, sizeof *key->words * (size_t)key->length) == 0;
}

Specialisation *variant_find(Specialisation *list, const VariantKey *key)
{
    while (list && !has_key(list, key))
        list = list->next;
    return list;
}

/* Whether it is what a compilation for the key would give. */
static bool is_best(const Specialisation *spec, const VariantKey *key)
{
    if (spec->fixed || !key->facts)
        return spec->fixed || !spec->optimised;
    return spec->optimised && launch_serves(&spec->launch, key->facts);
}

/* Whether its code is right for the key's launches, and is carried out as it is asked for if that
** was wanted. */
static bool is_right(const Specialisation *spec, const VariantKey *key)
{
    if (!spec->optimised)
        return true;
    return key->facts && launch_allows(&spec->launch, key->facts);
}

static Specialisation *find_ready(const kjit_kernel *kernel, const VariantKey *key,
                                  bool (*wanted)(const Specialisation *, const VariantKey *))
{
    Specialisation *spec = atomic_load_explicit(&kernel->ready, memory_order_acquire);

    while (spec && (!has_key(spec, key) || !wanted(spec, key)))
        spec = spec->next;
    return spec;
}

static bool is_fixed(const Specialisation *spec, const VariantKey *key)
{
    (void)key;
    return spec->fixed;
}

Specialisation *variant_best(const kjit_kernel *kernel, const VariantKey *key)
{
    Specialisation *fixed = NULL;

    if (atomic_load_explicit(&kernel->replaced, memory_order_relaxed))
        fixed = find_ready(kernel, key, is_fixed);
    return fixed ? fixed : find_ready(kernel, key, is_best);
}

Specialisation *variant_right(const kjit_kernel *kernel, const VariantKey *key)
{
    return find_ready(kernel, key, is_right);
}
