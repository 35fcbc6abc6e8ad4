/* What several ranks made of an array that each had whole.
**
** Integers of all ranks begin with what the array held, and what each added to it, or did with it,
** is put together: sums by their differences, which wrap as the sums do; minima, maxima, and, or
** as they are; exclusive or by what it changed. Sums of floats begin with -0.0 on all ranks but
** the first, since x + -0.0 is x for every x. Maxima and minima of floats: what is there stays if
** either is NaN, as cuda.atomic.max has it. */
#include "runtime/many/part.h"

/* One element, of a type that is read and written by its bytes. */
#define ELEMENTS(type, expression)                                                                 \
    for (uint64_t at = 0; at + sizeof(type) <= bytes; at += sizeof(type)) {                        \
        type a, b, o;                                                                              \
        memcpy(&a, (char *)sum + at, sizeof a);                                                    \
        memcpy(&b, (const char *)parcel + at, sizeof b);                                           \
        memcpy(&o, (const char *)begun + at, sizeof o);                                            \
        a = (type)(expression);                                                                    \
        memcpy((char *)sum + at, &a, sizeof a);                                                    \
    }

#define INTEGERS(NAME, type)                                                                       \
    static void combine_##type(Combine combine, void *sum, const void *parcel, const void *begun,  \
                               uint64_t bytes)                                                     \
    {                                                                                              \
        switch (combine) {                                                                         \
        case COMBINE_SUM:                                                                          \
            ELEMENTS(type, (uint64_t)a + (uint64_t)b - (uint64_t)o)                                \
            return;                                                                                \
        case COMBINE_MAX:                                                                          \
            ELEMENTS(type, ((void)o, b > a) ? b : a)                                               \
            return;                                                                                \
        case COMBINE_MIN:                                                                          \
            ELEMENTS(type, ((void)o, b < a) ? b : a)                                               \
            return;                                                                                \
        case COMBINE_AND:                                                                          \
            ELEMENTS(type, ((void)o, a & b))                                                       \
            return;                                                                                \
        case COMBINE_OR:                                                                           \
            ELEMENTS(type, ((void)o, a | b))                                                       \
            return;                                                                                \
        case COMBINE_XOR:                                                                          \
            ELEMENTS(type, a ^ b ^ o)                                                              \
            return;                                                                                \
        case COMBINE_NONE:                                                                         \
            return;                                                                                \
        }                                                                                          \
    }

#define FLOATS(NAME, type)                                                                         \
    static void combine_##type(Combine combine, void *sum, const void *parcel, const void *begun,  \
                               uint64_t bytes)                                                     \
    {                                                                                              \
        if (combine == COMBINE_SUM)                                                                \
            ELEMENTS(type, ((void)o, a + b))                                                       \
        else if (combine == COMBINE_MAX)                                                           \
            ELEMENTS(type, ((void)o, b > a) ? b : a)                                               \
        else                                                                                       \
            ELEMENTS(type, ((void)o, b < a) ? b : a)                                               \
    }

#define INTEGER_TYPES(F)                                                                           \
    F(INT8, int8_t)                                                                                \
    F(INT16, int16_t)                                                                              \
    F(INT32, int32_t)                                                                              \
    F(INT64, int64_t)                                                                              \
    F(UINT8, uint8_t)                                                                              \
    F(UINT16, uint16_t)                                                                            \
    F(UINT32, uint32_t)                                                                            \
    F(UINT64, uint64_t)
INTEGER_TYPES(INTEGERS)
FLOATS(FLOAT32, float)
FLOATS(FLOAT64, double)

void combine_begin(kjit_dtype dtype, void *parcel, uint64_t bytes)
{
    const float single = -0.0f;
    const double wide = -0.0;
    bool is_single = dtype == KJIT_DTYPE_FLOAT32;
    size_t item = is_single ? sizeof single : sizeof wide;

    for (uint64_t at = 0; at + item <= bytes; at += item)
        memcpy((char *)parcel + at, is_single ? (const void *)&single : &wide, item);
}

void combine_add(kjit_dtype dtype, Combine combine, void *sum, const void *parcel,
                 const void *begun, uint64_t bytes)
{
#define CASE(NAME, type)                                                                           \
    case KJIT_DTYPE_##NAME:                                                                        \
        combine_##type(combine, sum, parcel, begun, bytes);                                        \
        return;
    switch ((int)dtype) {
        INTEGER_TYPES(CASE)
        CASE(FLOAT32, float)
    default: /* the plan has no other (ir/predict/split.c) */
        combine_double(combine, sum, parcel, begun, bytes);
        return;
    }
}

int64_t merge_add(void *all, const void *parcel, const void *begun, uint64_t bytes, size_t item)
{
    for (uint64_t at = 0; at < bytes; at += item) {
        char *now = (char *)all + at;
        const char *part = (const char *)parcel + at, *before = (const char *)begun + at;
        if (memcmp(part, before, item) == 0)
            continue;
        if (memcmp(now, before, item) != 0 && memcmp(now, part, item) != 0)
            return (int64_t)(at / item);
        memcpy(now, part, item);
    }
    return -1;
}
