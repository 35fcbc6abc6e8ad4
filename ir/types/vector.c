/* Vector types: 1 to 4 numbers of one type, called x, y, z and w. In memory they are as CUDA has
** them, so that one instruction moves a whole vector where it can. The names are numba's. */
#include "ir/types/types.h"

static const char *const fields[] = { "x", "y", "z", "w" };

#define ROW(NAME, name)                                                                            \
    static const Type *const NAME##_items[] = { type_of(NAME), type_of(NAME), type_of(NAME),       \
                                                type_of(NAME) };                                   \
    static const TupleNames NAME##_names[] = { { #name "x1", fields },                             \
                                               { #name "x2", fields },                             \
                                               { #name "x3", fields },                             \
                                               { #name "x4", fields } };                           \
    static const Type NAME##_types[] = {                                                           \
        { .kind = TY_VECTOR, .tuple = { NAME##_items, 1, &NAME##_names[0], false } },              \
        { .kind = TY_VECTOR, .tuple = { NAME##_items, 2, &NAME##_names[1], false } },              \
        { .kind = TY_VECTOR, .tuple = { NAME##_items, 3, &NAME##_names[2], false } },              \
        { .kind = TY_VECTOR, .tuple = { NAME##_items, 4, &NAME##_names[3], false } },              \
    };
ROW(INT8, int8)
ROW(INT16, int16)
ROW(INT32, int32)
ROW(INT64, int64)
ROW(UINT8, uint8)
ROW(UINT16, uint16)
ROW(UINT32, uint32)
ROW(UINT64, uint64)
ROW(FLOAT32, float32)
ROW(FLOAT64, float64)
#undef ROW

static const struct {
    const char *before; /* the number of parts */
    const Type *types;
} names[] = {
    { "int8x", INT8_types },       { "char", INT8_types },      { "int16x", INT16_types },
    { "short", INT16_types },      { "int32x", INT32_types },   { "int", INT32_types },
    { "int64x", INT64_types },     { "long", INT64_types },     { "longlong", INT64_types },
    { "uint8x", UINT8_types },     { "uchar", UINT8_types },    { "uint16x", UINT16_types },
    { "ushort", UINT16_types },    { "uint32x", UINT32_types }, { "uint", UINT32_types },
    { "uint64x", UINT64_types },   { "ulong", UINT64_types },   { "ulonglong", UINT64_types },
    { "float32x", FLOAT32_types }, { "float", FLOAT32_types },  { "float64x", FLOAT64_types },
    { "double", FLOAT64_types },
};

const Type *type_vector_by_name(const char *name)
{
    size_t length = strlen(name);
    int count = length ? name[length - 1] - '0' : 0;
    if (count < 1 || count > 4)
        return NULL;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strlen(names[i].before) == length - 1 && !strncmp(names[i].before, name, length - 1))
            return &names[i].types[count - 1];
    return NULL;
}
