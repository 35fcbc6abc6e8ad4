#include "runtime/many/region.h"
#include "runtime/array/array.h"

void region_free(Region *region)
{
    memory_free(region->runs);
    *region = (Region){ 0 };
}

bool region_append(Region *region, int64_t low, int64_t high)
{
    if (low >= high)
        return true;
    Run *last = region->count ? &region->runs[region->count - 1] : NULL;
    if (last && last->high >= low) {
        last->high = high > last->high ? high : last->high;
        return true;
    }
    if (!memory_more(region->runs, region->count, region->capacity))
        return false;
    region->runs[region->count++] = (Run){ low, high };
    return true;
}

bool region_copy(const Region *from, Region *to)
{
    *to = (Region){ 0 };
    for (int64_t i = 0; i < from->count; i++)
        if (!region_append(to, from->runs[i].low, from->runs[i].high)) {
            region_free(to);
            return false;
        }
    return true;
}

static bool replace(Region *to, Region *made, bool good)
{
    if (good) {
        region_free(to);
        *to = *made;
    } else {
        region_free(made);
    }
    return good;
}

bool region_add(Region *to, const Region *more)
{
    Region sum = { 0 };
    int64_t i = 0, k = 0;
    bool good = true;

    while (good && (i < to->count || k < more->count)) {
        bool own = k == more->count || (i < to->count && to->runs[i].low <= more->runs[k].low);
        const Run *run = own ? &to->runs[i++] : &more->runs[k++];
        good = region_append(&sum, run->low, run->high);
    }
    return replace(to, &sum, good);
}

bool region_take_away(Region *to, const Region *less)
{
    Region left = { 0 };
    int64_t k = 0;
    bool good = true;

    for (int64_t i = 0; good && i < to->count; i++) {
        int64_t low = to->runs[i].low, high = to->runs[i].high;
        while (k < less->count && less->runs[k].high <= low)
            k++;
        for (int64_t m = k; good && m < less->count && less->runs[m].low < high; m++) {
            if (less->runs[m].low > low)
                good = region_append(&left, low, less->runs[m].low);
            low = less->runs[m].high;
        }
        good = good && region_append(&left, low, high);
    }
    return replace(to, &left, good);
}

bool region_common(const Region *a, const Region *b, Region *common)
{
    int64_t i = 0, k = 0;

    *common = (Region){ 0 };
    while (i < a->count && k < b->count) {
        int64_t low = a->runs[i].low > b->runs[k].low ? a->runs[i].low : b->runs[k].low;
        int64_t high = a->runs[i].high < b->runs[k].high ? a->runs[i].high : b->runs[k].high;
        if (!region_append(common, low, high)) {
            region_free(common);
            return false;
        }
        if (a->runs[i].high < b->runs[k].high)
            i++;
        else
            k++;
    }
    return true;
}

/* ---- of arrays ------------------------------------------------------------------------------- */

/* The axes of an array by their steps, which are made positive, the largest first. */
typedef struct SteppedAxes {
    int64_t steps[RANK_MAX], counts[RANK_MAX];
    int count;
    int64_t item;
} SteppedAxes;

static void insert_axis(SteppedAxes *axes, int64_t step, int64_t count)
{
    int at = axes->count++;
    for (; at > 0 && axes->steps[at - 1] < step; at--) {
        axes->steps[at] = axes->steps[at - 1];
        axes->counts[at] = axes->counts[at - 1];
    }
    axes->steps[at] = step;
    axes->counts[at] = count;
}

/* The bytes of some rows, of which the first begins at `offset`. */
static SteppedAxes axes_of(const kjit_array *rows, int64_t *offset)
{
    SteppedAxes axes = { .item = (int64_t)array_item_bytes(rows) };
    for (int k = 0; k < rows->rank; k++) {
        int64_t step = rows->strides[k], count = rows->shape[k];
        if (step < 0) {
            *offset += step * (count - 1);
            step = -step;
        }
        if (count > 1 && step)
            insert_axis(&axes, step, count);
    }
    return axes;
}

static bool append_axis(const SteppedAxes *axes, int k, int64_t offset, Region *region);

/* The next axis at each place along this one. What is between two places of it may reach beyond
** the second: then each is a set of its own. */
static bool append_places(const SteppedAxes *axes, int k, int64_t offset, bool apart,
                          Region *region)
{
    bool good = true;
    for (int64_t i = 0; good && i < axes->counts[k]; i++) {
        Region own = { 0 };
        good = append_axis(axes, k + 1, offset + i * axes->steps[k], apart ? region : &own);
        good = good && (apart || region_add(region, &own));
        region_free(&own);
    }
    return good;
}

static bool append_axis(const SteppedAxes *axes, int k, int64_t offset, Region *region)
{
    int64_t inner = axes->item, behind = axes->item;
    bool dense = true;
    for (int i = axes->count; i-- > k;) {
        dense &= axes->steps[i] == inner;
        inner *= axes->counts[i];
        behind += i > k ? axes->steps[i] * (axes->counts[i] - 1) : 0;
    }
    if (dense)
        return region_append(region, offset, offset + inner);
    return append_places(axes, k, offset, axes->steps[k] >= behind, region);
}

typedef struct RegionRows {
    const kjit_array *array;
    const char *begin;
    int axis;
    bool coarse, good;
    Region *region;
} RegionRows;

/* Rows that are dense among others come in ascending order only if their axis has the largest
** step; so each run of rows is a set of its own. */
static void add_rows(void *context, int64_t low, int64_t high)
{
    RegionRows *r = context;
    kjit_array rows = *r->array;
    Region own = { 0 };

    rows.shape[r->axis] = high - low + 1;
    int64_t offset = (const char *)rows.data - r->begin + low * rows.strides[r->axis];
    SteppedAxes axes = axes_of(&rows, &offset);
    if (r->coarse) {
        int64_t last = axes.item;
        for (int k = 0; k < axes.count; k++)
            last += axes.steps[k] * (axes.counts[k] - 1);
        r->good = r->good && region_append(&own, offset, offset + last);
    } else {
        r->good = r->good && append_axis(&axes, 0, offset, &own);
    }
    r->good = r->good && region_add(r->region, &own);
    region_free(&own);
}

bool region_of_array(const kjit_array *array, int axis, const SplitStretch *stretch,
                     const char *begin, bool coarse, Region *region)
{
    RegionRows rows = { array, begin, axis, coarse, true, region };
    kjit_array one = *array;
    SplitStretch all = { 0, 0, 0 };

    *region = (Region){ 0 };
    if (!array_elements(array))
        return true;
    if (!array->rank) { /* an array of one element */
        one.rank = 1;
        one.shape[0] = 1;
        one.strides[0] = 0;
        rows.array = &one;
    }
    all.high = rows.array->shape[axis] - 1;
    split_runs(stretch ? *stretch : all, rows.array->shape[axis], add_rows, &rows);
    if (!rows.good)
        region_free(region);
    return rows.good;
}
