/* The minimum, maximum and sum of an array.
**
** Threads share parts of fixed size, whose results are combined in order, so that a sum does not
** depend on the number of threads. A part is processed in blocks of contiguous elements, in place
** or copied. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "cli/cli.h"

enum {
    LANES = 8,          /* independent partial sums of a block of floats */
    BLOCK = 1024,       /* elements */
    PART = 64 * BLOCK,  /* elements */
    PARTS_A_THREAD = 8, /* at least, for each thread */
    THREADS_MOST = 64
};

/* The result of some elements. */
typedef struct Partial {
    int64_t count, nans;
    Number least, most; /* valid if any element is a number */
    uint64_t integers;
    long double reals, imags;
} Partial;

static bool less(const Number *a, const Number *b)
{
    if (a->kind == NUMBER_REAL)
        return a->real < b->real;
    if (a->kind == NUMBER_UNSIGNED)
        return (uint64_t)a->integer < (uint64_t)b->integer;
    return a->integer < b->integer;
}

static void add_extremes(Partial *into, const Number *least, const Number *most, int64_t count,
                         int64_t nans)
{
    bool first = into->count == into->nans;
    if (nans < count && (first || less(least, &into->least)))
        into->least = *least;
    if (nans < count && (first || less(&into->most, most)))
        into->most = *most;
    into->count += count;
    into->nans += nans;
}

static void add_partial(Partial *into, const Partial *other)
{
    add_extremes(into, &other->least, &other->most, other->count, other->nans);
    into->integers += other->integers;
    into->reals += other->reals;
    into->imags += other->imags;
}

/* ---- one at a time -------------------------------------------------------------------------- */

/* For few elements, and rare dtypes. */
static void add_walk(Partial *into, Walk *walk)
{
    Number number;

    while (walk_next(walk, &number)) {
        into->integers += (uint64_t)number.integer;
        into->reals += number.real;
        into->imags += number.imag;
        add_extremes(into, &number, &number, 1, isnan(number.real) != 0);
    }
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Adds `count` elements, at most BLOCK. */
typedef void AddBlock(Partial *into, const void *elements, int64_t count);

/* LANES independent accumulators, for vector instructions. Comparisons skip NaNs, which are counted
** only if the sum shows that there are any. */
#define REAL_BLOCK(name, type)                                                                     \
    static void add_##name(Partial *into, const void *elements, int64_t count)                     \
    {                                                                                              \
        const type *at = elements;                                                                 \
        type low[LANES], high[LANES];                                                              \
        double sums[LANES] = { 0 }, sum = 0;                                                       \
        int64_t i, missing = 0;                                                                    \
        for (int k = 0; k < LANES; k++) {                                                          \
            low[k] = (type)INFINITY;                                                               \
            high[k] = -(type)INFINITY;                                                             \
        }                                                                                          \
        for (i = 0; i < count - count % LANES; i += LANES)                                         \
            for (int k = 0; k < LANES; k++) {                                                      \
                type number = at[i + k];                                                           \
                low[k] = number < low[k] ? number : low[k];                                        \
                high[k] = number > high[k] ? number : high[k];                                     \
                sums[k] += (double)number;                                                         \
            }                                                                                      \
        for (; i < count; i++) {                                                                   \
            low[0] = at[i] < low[0] ? at[i] : low[0];                                              \
            high[0] = at[i] > high[0] ? at[i] : high[0];                                           \
            sums[0] += (double)at[i];                                                              \
        }                                                                                          \
        for (int k = 0; k < LANES; k++) {                                                          \
            low[0] = low[k] < low[0] ? low[k] : low[0];                                            \
            high[0] = high[k] > high[0] ? high[k] : high[0];                                       \
            sum += sums[k];                                                                        \
        }                                                                                          \
        for (i = 0; isnan(sum) && i < count; i++)                                                  \
            missing += isnan(at[i]) != 0;                                                          \
        const Number least = number_real((double)low[0]), most = number_real((double)high[0]);     \
        into->reals += sum;                                                                        \
        add_extremes(into, &least, &most, count, missing);                                         \
    }
REAL_BLOCK(float32, float)
REAL_BLOCK(float64, double)

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void add_bfloat16(Partial *into, const void *elements, int64_t count)
{
    const uint16_t *at = elements;
    float numbers[BLOCK];

    for (int64_t i = 0; i < count; i++)
        numbers[i] = float_of((uint32_t)at[i] << 16);
    add_float32(into, numbers, count);
}

/* Shifted into a float32 the exponent is 112 too small; the largest one is infinity or NaN. */
static void add_float16(Partial *into, const void *elements, int64_t count)
{
    const uint16_t *at = elements;
    float numbers[BLOCK];

    for (int64_t i = 0; i < count; i++) {
        uint32_t size = at[i] & 0x7fffu;
        float number = float_of(size << 13) * 0x1p112f;
        if (size >= 0x7c00)
            number = size > 0x7c00 ? NAN : INFINITY;
        numbers[i] = at[i] & 0x8000 ? -number : number;
    }
    add_float32(into, numbers, count);
}

static Number integer_number(NumberKind kind, int64_t value, double real)
{
    return (Number){ .kind = kind, .integer = value, .real = real };
}

/* Sums of 1024 integers of 32 bits are exact; those of wider ones may wrap. */
#define INTEGER_BLOCK(type, number_kind)                                                           \
    static void add_##type(Partial *into, const void *elements, int64_t count)                     \
    {                                                                                              \
        const type##_t *at = elements;                                                             \
        type##_t low = at[0], high = at[0];                                                        \
        uint64_t sum = 0;                                                                          \
        double real = 0;                                                                           \
        for (int64_t i = 0; i < count; i++) {                                                      \
            sum += (uint64_t)at[i];                                                                \
            real += sizeof *at == 8 ? (double)at[i] : 0;                                           \
            low = at[i] < low ? at[i] : low;                                                       \
            high = at[i] > high ? at[i] : high;                                                    \
        }                                                                                          \
        const Number least = integer_number(number_kind, (int64_t)low, (double)low);               \
        const Number most = integer_number(number_kind, (int64_t)high, (double)high);              \
        into->integers += sum;                                                                     \
        into->reals += sizeof *at == 8 ? real : (double)(int64_t)sum;                              \
        add_extremes(into, &least, &most, count, 0);                                               \
    }
INTEGER_BLOCK(int8, NUMBER_INTEGER)
INTEGER_BLOCK(int16, NUMBER_INTEGER)
INTEGER_BLOCK(int32, NUMBER_INTEGER)
INTEGER_BLOCK(int64, NUMBER_INTEGER)
INTEGER_BLOCK(uint8, NUMBER_UNSIGNED)
INTEGER_BLOCK(uint16, NUMBER_UNSIGNED)
INTEGER_BLOCK(uint32, NUMBER_UNSIGNED)
INTEGER_BLOCK(uint64, NUMBER_UNSIGNED)

/* ---- parts ---------------------------------------------------------------------------------- */

/* The function for blocks of a dtype; NULL: one element at a time. */
static AddBlock *block_of(kjit_dtype dtype)
{
    switch (dtype) {
#define BLOCK_OF(NAME, name)                                                                       \
    case KJIT_DTYPE_##NAME:                                                                        \
        return add_##name;
        BLOCK_OF(INT8, int8)
        BLOCK_OF(INT16, int16)
        BLOCK_OF(INT32, int32)
        BLOCK_OF(INT64, int64)
        BLOCK_OF(UINT8, uint8)
        BLOCK_OF(UINT16, uint16)
        BLOCK_OF(UINT32, uint32)
        BLOCK_OF(UINT64, uint64)
        BLOCK_OF(FLOAT16, float16)
        BLOCK_OF(BFLOAT16, bfloat16)
        BLOCK_OF(FLOAT32, float32)
        BLOCK_OF(FLOAT64, float64)
#undef BLOCK_OF
    default:
        return NULL;
    }
}

/* A queue of parts that threads share. */
typedef struct SummaryJob {
    const kjit_array *array;
    AddBlock *add;
    bool whole; /* contiguous and aligned */
    int64_t first, count;
    Partial *partials; /* by part */
    _Atomic int64_t next;
} SummaryJob;

/* Copies strided elements to a contiguous block. */
static void gather(Walk *walk, char *block, int64_t count, size_t bytes)
{
    for (int64_t i = 0; i < count; i++) {
        memcpy(block + (size_t)i * bytes, walk->at, bytes);
        walk_skip(walk);
    }
}

static void add_part(Partial *into, const SummaryJob *sharing, int64_t first, int64_t count)
{
    union {
        char bytes[BLOCK * sizeof(uint64_t)];
        uint64_t aligned;
    } room;
    size_t bytes = kjit_array_itemsize(sharing->array);
    Walk walk;

    walk_from(&walk, sharing->array, first, count);
    if (!sharing->add) {
        add_walk(into, &walk);
        return;
    }
    for (int64_t done = 0; done < count; done += BLOCK) {
        int64_t length = count - done < BLOCK ? count - done : BLOCK;
        const char *block = (char *)sharing->array->data + (size_t)(first + done) * bytes;
        if (!sharing->whole) {
            gather(&walk, room.bytes, length, bytes);
            block = room.bytes;
        }
        sharing->add(into, block, length);
    }
}

static void *take_parts(void *context)
{
    SummaryJob *sharing = context;
    int64_t parts = (sharing->count + PART - 1) / PART, part;

    while ((part = atomic_fetch_add(&sharing->next, 1)) < parts) {
        int64_t done = part * PART, left = sharing->count - done;
        add_part(&sharing->partials[part], sharing, sharing->first + done,
                 left < PART ? left : PART);
    }
    return NULL;
}

static int thread_count(int64_t parts)
{
    cpu_set_t mine;
    int most = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;

    most = most < THREADS_MOST ? most : THREADS_MOST;
    return parts / PARTS_A_THREAD < most ? (int)(parts / PARTS_A_THREAD) : most;
}

/* If a thread cannot be created the others do its share. */
static void share_parts(SummaryJob *sharing, int64_t parts)
{
    pthread_t threads[THREADS_MOST];
    int wanted = thread_count(parts) - 1, count = 0;

    while (count < wanted && pthread_create(&threads[count], NULL, take_parts, sharing) == 0)
        count++;
    take_parts(sharing);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void add_parts(Partial *into, const kjit_array *array, int64_t first, int64_t count)
{
    int64_t parts = (count + PART - 1) / PART;
    size_t bytes = kjit_array_itemsize(array);
    SummaryJob sharing = {
        .array = array,
        .add = block_of(array->dtype),
        .whole = kjit_array_is_contiguous(array, 0) && (uintptr_t)array->data % bytes == 0,
        .first = first,
        .count = count,
        .partials = must_alloc((size_t)parts * sizeof *sharing.partials),
    };

    memset(sharing.partials, 0, (size_t)parts * sizeof *sharing.partials);
    share_parts(&sharing, parts);
    for (int64_t i = 0; i < parts; i++)
        add_partial(into, &sharing.partials[i]);
    free(sharing.partials);
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Sums of integers wrap at 64 bits, as NumPy's do. */
void array_summarize_part(const kjit_array *array, int64_t first, int64_t count, Summary *summary)
{
    Partial all = { 0 };
    Walk walk;
    Number number;

    *summary = (Summary){ 0 };
    if (!count)
        return;
    walk_from(&walk, array, first, count);
    if (count > PART)
        add_parts(&all, array, first, count);
    else
        add_walk(&all, &walk);
    walk_start(&walk, array);
    walk_next(&walk, &number);
    *summary = (Summary){
        .count = all.count,
        .nans = all.nans,
        .least = all.least,
        .most = all.most,
        .sum = { .kind = number.kind == NUMBER_BOOL ? NUMBER_INTEGER : number.kind,
                 .integer = (int64_t)all.integers,
                 .real = (double)all.reals,
                 .imag = (double)all.imags },
    };
}

void array_summarize(const kjit_array *array, Summary *summary)
{
    array_summarize_part(array, 0, array_count(array), summary);
}
