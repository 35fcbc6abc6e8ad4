/* The types of a call's arguments, packed into words that compare fast.
**
** A scalar is one word, an array one, a tuple one and its items behind it. What is not in a type,
** extents above all, is not in the key. */
#include "runtime/array/array.h"

_Static_assert((int)KJIT_DTYPE_BOOL - (int)TY_BOOL ==
                   (int)KJIT_DTYPE_COMPLEX128 - (int)TY_COMPLEX128,
               "the public dtypes follow types.def");
_Static_assert((int)KJIT_RANK_MAX == (int)RANK_MAX, "one bound on ranks");

/* A word: what it is, then its parts. */
enum {
    WORD_SCALAR = 1u << 24,
    WORD_ARRAY = 2u << 24,
    WORD_TUPLE = 3u << 24,
    WORD_KIND = 255u << 24,
    READONLY_BIT = 1 << 16,
    LAYOUT_SHIFT = 12,
    RANK_SHIFT = 8
};

enum { DEPTH_MAX = 16 };

_Static_assert((int)KJIT_TIME_UNITS == (int)TIME_NONE && (int)KJIT_TIME_as == (int)TIME_as,
               "the public units are the compiler's");

bool dtype_is_time(kjit_dtype dtype)
{
    return (dtype >= KJIT_DTYPE_DATETIME64_Y && dtype <= KJIT_DTYPE_DATETIME64) ||
           (dtype >= KJIT_DTYPE_TIMEDELTA64_Y && dtype <= KJIT_DTYPE_TIMEDELTA64);
}

const Type *dtype_type(kjit_dtype dtype)
{
    bool date = dtype <= KJIT_DTYPE_DATETIME64;
    if (dtype_is_time(dtype))
        return type_time(date, (TimeUnit)((int)dtype - (int)(date ? KJIT_DTYPE_DATETIME64_Y
                                                                  : KJIT_DTYPE_TIMEDELTA64_Y)));
    return &type_table[(int)dtype - (int)KJIT_DTYPE_BOOL + (int)TY_BOOL];
}

kjit_dtype type_dtype(const Type *type)
{
    if (type_is_time(type))
        return (kjit_dtype)((int)time_unit(type) + (int)(type->kind == TY_DATETIME
                                                             ? KJIT_DTYPE_DATETIME64_Y
                                                             : KJIT_DTYPE_TIMEDELTA64_Y));
    return (kjit_dtype)((int)type->kind - (int)TY_BOOL + (int)KJIT_DTYPE_BOOL);
}

kjit_status key_push(KeyWriter *packer, uint32_t word)
{
    if (packer->length == KEY_MAX)
        return error_set(KJIT_ARGUMENT,
                         "error: the types of the arguments have more than %d parts; a field of a "
                         "record is three, and one more for each four letters of its name",
                         KEY_MAX);
    packer->key[packer->length++] = word;
    return KJIT_OK;
}

static kjit_status pack_array(KeyWriter *packer, const kjit_array *array)
{
    uint64_t bytes;
    ArrayLayout layout = LAYOUT_C;

    if (!array_is_plain(array, &bytes)) {
        if (!array_check(array, packer->name, &bytes))
            return KJIT_ARGUMENT;
        layout = array_layout(array);
    }
    KJIT_TRY(key_push(packer, WORD_ARRAY | (array->flags & KJIT_READONLY ? READONLY_BIT : 0) |
                                  (uint32_t)layout << LAYOUT_SHIFT |
                                  (uint32_t)array->rank << RANK_SHIFT | (uint32_t)array->dtype));
    if (array->dtype != KJIT_DTYPE_RECORD)
        return KJIT_OK;
    KJIT_TRY(dtype_check_record(array->record, packer->name));
    return dtype_pack_record(packer, array->record);
}

static kjit_status pack(KeyWriter *packer, const kjit_arg *arg, int depth)
{
    if (depth > DEPTH_MAX)
        return error_set(KJIT_ARGUMENT, "error: the tuples of '%s' are nested too deeply",
                         packer->name);
    switch (arg->kind) {
    case KJIT_ARG_SCALAR:
        if (!kjit_dtype_bytes(arg->dtype))
            return error_set(KJIT_ARGUMENT, "error: the scalar '%s' has no dtype", packer->name);
        if (arg->dtype == KJIT_DTYPE_FLOAT8_E4M3 || arg->dtype == KJIT_DTYPE_FLOAT8_E5M2)
            return error_set(KJIT_ARGUMENT,
                             "error: the scalar '%s' is a %s, a type of elements alone\n"
                             "note: pass a float32",
                             packer->name, kjit_dtype_name(arg->dtype));
        return key_push(packer, WORD_SCALAR | (uint32_t)arg->dtype);
    case KJIT_ARG_ARRAY:
        return pack_array(packer, &arg->as.array);
    case KJIT_ARG_TUPLE:
        if (arg->as.tuple.count > KEY_MAX)
            return error_set(KJIT_ARGUMENT, "error: the tuple '%s' is too long", packer->name);
        KJIT_TRY(key_push(packer, WORD_TUPLE | (uint32_t)arg->as.tuple.count));
        for (size_t i = 0; i < arg->as.tuple.count; i++)
            KJIT_TRY(pack(packer, &arg->as.tuple.items[i], depth + 1));
        return KJIT_OK;
    }
    return error_set(KJIT_ARGUMENT, "error: '%s' is of no kind of argument (%d)", packer->name,
                     (int)arg->kind);
}

kjit_status signature_pack(const kjit_arg *args, size_t count, const char *const *names,
                           uint32_t key[KEY_MAX], int *length)
{
    KeyWriter packer = { .key = key };

    for (size_t i = 0; i < count; i++) {
        packer.name = names[i];
        KJIT_TRY(pack(&packer, &args[i], 0));
    }
    *length = packer.length;
    return KJIT_OK;
}

/* ---- of types ------------------------------------------------------------------------------ */

static kjit_status pack_record_type(KeyWriter *packer, const Type *type)
{
    kjit_record *record = dtype_make_record(type);

    if (!record)
        return error_memory();
    kjit_status status = dtype_pack_record(packer, record);
    memory_free(record);
    return status;
}

static kjit_status pack_array_type(KeyWriter *packer, const Type *type)
{
    const Type *element = type->array.element;
    bool record = type_is_record(element);
    kjit_dtype dtype = record ? KJIT_DTYPE_RECORD : type_dtype(element);

    KJIT_TRY(key_push(packer, WORD_ARRAY | (type->array.readonly ? READONLY_BIT : 0) |
                                  (uint32_t)type->array.layout << LAYOUT_SHIFT |
                                  (uint32_t)type->array.rank << RANK_SHIFT | (uint32_t)dtype));
    return record ? pack_record_type(packer, element) : KJIT_OK;
}

static kjit_status pack_type(KeyWriter *packer, const Type *type)
{
    if (type_is_array(type))
        return pack_array_type(packer, type);
    if (type_is_tuple(type) && !type->tuple.names && !type->tuple.optional) {
        KJIT_TRY(key_push(packer, WORD_TUPLE | (uint32_t)type->tuple.count));
        for (int i = 0; i < type->tuple.count; i++)
            KJIT_TRY(pack_type(packer, type->tuple.items[i]));
        return KJIT_OK;
    }
    if (type_is_time(type) || (type->kind >= TY_BOOL && type->kind <= TY_COMPLEX128))
        return key_push(packer, WORD_SCALAR | (uint32_t)type_dtype(type));
    return error_set(KJIT_ARGUMENT, "error: '%s' has a type that no argument of a launch has",
                     packer->name);
}

kjit_status signature_pack_types(const Signature *signature, const char *const *names,
                                 uint32_t key[KEY_MAX], int *length)
{
    KeyWriter packer = { .key = key };

    for (int i = 0; i < signature->count; i++) {
        packer.name = names[i];
        KJIT_TRY(pack_type(&packer, signature->params[i]));
    }
    *length = packer.length;
    return KJIT_OK;
}

/* ---- arguments that fit although their types differ ---------------------------------------- */

/* Two keys of one length, compared word by word: nothing is believed of the wanted one that the
** given one, which was made of the arguments, has not confirmed. */
typedef struct Match {
    const uint32_t *wanted, *given;
    int at;
} Match;

static bool accepts(Match *match, const kjit_arg *arg, bool in_tuple);

static bool same_words(Match *match, int count)
{
    const uint32_t *wanted = match->wanted + match->at, *given = match->given + match->at;

    match->at += count;
    return memcmp(wanted, given, sizeof *wanted * (size_t)count) == 0;
}

static int record_words(const kjit_record *record)
{
    uint32_t words[KEY_MAX];
    KeyWriter key = { .key = words };

    dtype_pack_record(&key, record);
    return key.length;
}

/* Where strides are passed any layout does, else one whose elements lie as they would in both. What
** may not be written does if the kernel does not write it, which the launch checks, though not for
** arrays in tuples. */
static bool accepts_array(Match *match, const kjit_array *array, bool in_tuple)
{
    uint32_t wanted = match->wanted[match->at], given = match->given[match->at];
    uint32_t layout = wanted >> LAYOUT_SHIFT & 15, free = 15u << LAYOUT_SHIFT | READONLY_BIT;
    bool fits = layout == LAYOUT_A || layout == (given >> LAYOUT_SHIFT & 15) ||
                (layout == LAYOUT_F && array_is_columns(array));

    if ((wanted & ~free) != (given & ~free) || !fits)
        return false;
    if (in_tuple && (given & READONLY_BIT) && !(wanted & READONLY_BIT))
        return false;
    match->at++;
    return array->dtype != KJIT_DTYPE_RECORD || same_words(match, record_words(array->record));
}

static bool accepts(Match *match, const kjit_arg *arg, bool in_tuple)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        return accepts_array(match, &arg->as.array, in_tuple);
    if (!same_words(match, 1))
        return false;
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++) {
        if (!accepts(match, &arg->as.tuple.items[i], true))
            return false;
    }
    return true;
}

bool signature_accepts(const uint32_t *wanted, const uint32_t *given, const kjit_arg *args,
                       size_t count)
{
    Match match = { wanted, given, 0 };

    for (size_t i = 0; i < count; i++) {
        if (!accepts(&match, &args[i], false))
            return false;
    }
    return true;
}

/* ---- unpacking ----------------------------------------------------------------------------- */

/* The type that starts at key[*at], which moves behind it. */
static const Type *unpack(Arena *arena, Types *types, const uint32_t *key, int *at)
{
    uint32_t word = key[(*at)++];

    if ((word & WORD_KIND) == WORD_SCALAR)
        return dtype_type((kjit_dtype)(word & 255));
    if ((word & WORD_KIND) == WORD_ARRAY) {
        const Type *element = (word & 255) == KJIT_DTYPE_RECORD
                                  ? dtype_unpack_record(arena, types, key, at)
                                  : dtype_type((kjit_dtype)(word & 255));
        return type_array(types, element, word >> RANK_SHIFT & 15,
                          (ArrayLayout)(word >> LAYOUT_SHIFT & 15), (word & READONLY_BIT) != 0);
    }
    int count = (int)(word & 0xffffff);
    const Type **items = arena_array(arena, const Type *, count);
    for (int i = 0; i < count; i++)
        items[i] = unpack(arena, types, key, at);
    return type_tuple(types, items, count);
}

Signature signature_unpack(Arena *arena, Types *types, const uint32_t *key, int length)
{
    const Type **params = arena_array(arena, const Type *, length);
    int count = 0;

    for (int at = 0; at < length;)
        params[count++] = unpack(arena, types, key, &at);
    return (Signature){ params, count, NULL };
}
