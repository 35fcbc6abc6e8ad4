/* What several ranks made of an array that each had whole.
**
** Integers of all ranks begin with what the array held, and what each added to it, or did with it,
** is put together: sums by their differences, which wrap as the sums do; minima, maxima, and, or
** as they are; exclusive or by what it changed. Sums of floats begin with -0.0 on all ranks but
** the first, since x + -0.0 is x for every x. Maxima and minima of floats: what is there stays if
** either is NaN, as cuda.atomic.max has it. */
#include "runtime/many/part.h"

#include <string.h>

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

#define INTEGERS(name, type, wide)                                                                 \
    static void combine_##name(Combine combine, void *sum, const void *parcel, const void *begun,  \
                               uint64_t bytes)                                                     \
    {                                                                                              \
        switch (combine) {                                                                         \
        case COMBINE_SUM:                                                                          \
            ELEMENTS(type, (wide)a + (wide)b - (wide)o)                                            \
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

#define FLOATS(name, type)                                                                         \
    static void combine_##name(Combine combine, void *sum, const void *parcel, const void *begun,  \
                               uint64_t bytes)                                                     \
    {                                                                                              \
        if (combine == COMBINE_SUM)                                                                \
            ELEMENTS(type, ((void)o, a + b))                                                       \
        else if (combine == COMBINE_MAX)                                                           \
            ELEMENTS(type, ((void)o, b > a) ? b : a)                                               \
        else                                                                                       \
            ELEMENTS(type, ((void)o, b < a) ? b : a)                                               \
    }

INTEGERS(int8, int8_t, uint64_t)
INTEGERS(int16, int16_t, uint64_t)
INTEGERS(int32, int32_t, uint64_t)
INTEGERS(int64, int64_t, uint64_t)
INTEGERS(uint8, uint8_t, uint64_t)
INTEGERS(uint16, uint16_t, uint64_t)
INTEGERS(uint32, uint32_t, uint64_t)
INTEGERS(uint64, uint64_t, uint64_t)
FLOATS(float32, float)
FLOATS(float64, double)

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
    switch ((int)dtype) {
    case KJIT_DTYPE_INT8:
        combine_int8(combine, sum, parcel, begun, bytes);
        return;
    case KJIT_DTYPE_INT16:
        combine_int16(combine, sum, parcel, begun, bytes);
        return;
    case KJIT_DTYPE_INT32:
        combine_int32(combine, sum, parcel, begun, bytes);
        return;
    case KJIT_DTYPE_INT64:
        combine_int64(combine, sum, parcel, begun, bytes);
        return;
    case KJIT_DTYPE_UINT8:
        combine_uint8(combine, sum, parcel, begun, bytes);
        return;
    case KJIT_DTYPE_UINT16:
        combine_uint16(combine, sum, parcel, begun, bytes);
        return;
    case KJIT_DTYPE_UINT32:
        combine_uint32(combine, sum, parcel, begun, bytes);
        return;
    case KJIT_DTYPE_UINT64:
        combine_uint64(combine, sum, parcel, begun, bytes);
        return;
    case KJIT_DTYPE_FLOAT32:
        combine_float32(combine, sum, parcel, begun, bytes);
        return;
    default: /* the plan has no other (ir/predict/split.c) */
        combine_float64(combine, sum, parcel, begun, bytes);
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
