/* Hashes of values. Those of numbers, and of tuples and frozen sets of them, are CPython's, which
** give sets its order of items; numbers that are equal have one hash, whatever their types. Hashes
** of texts, which CPython draws anew in each run, and of others are kjit's own, the same in every
** run. */
#include "runtime/array/array.h"
#include "runtime/program/python/set.h"

#include <math.h>

/* Numbers are taken modulo this; -1 is no hash. */
#define MODULUS ((UINT64_C(1) << 61) - 1)

static uint64_t no_minus_one(uint64_t hash)
{
    return hash == UINT64_MAX ? UINT64_MAX - 1 : hash;
}

static uint64_t hash_double(double number)
{
    int exponent;
    uint64_t hash = 0;
    if (isinf(number))
        return number < 0 ? 0 - UINT64_C(314159) : 314159;
    if (isnan(number))
        return 0;
    double part = frexp(fabs(number), &exponent);
    while (part != 0) {
        hash = ((hash << 28) & MODULUS) | hash >> (61 - 28);
        part *= 0x1p28;
        exponent -= 28;
        const uint64_t digits = (uint64_t)part;
        part -= (double)digits;
        hash += digits;
        if (hash >= MODULUS)
            hash -= MODULUS;
    }
    exponent = exponent >= 0 ? exponent % 61 : 60 - (-1 - exponent) % 61;
    hash = ((hash << exponent) & MODULUS) | hash >> (61 - exponent);
    return no_minus_one(number < 0 ? 0 - hash : hash);
}

static uint64_t hash_number(HostValue value)
{
    if (host_is_complex(value))
        return hash_double(value.number) + UINT64_C(1000003) * hash_double(value.imaginary);
    if (dtype_is_float(host_dtype_of(value)))
        return hash_double(value.number);
    const bool natural = value.kind == HOST_NUMBER && value.dtype == KJIT_DTYPE_UINT64;
    const bool negative = !natural && value.integer < 0;
    return negative ? 0 - (0 - (uint64_t)value.integer) % MODULUS
                    : (uint64_t)value.integer % MODULUS;
}

static bool hash_tuple(Program *p, const HostList *tuple, uint64_t *hash)
{
    const uint64_t first = UINT64_C(11400714785074694791), second = UINT64_C(14029467366897019727),
                   fifth = UINT64_C(2870177450012600261);
    uint64_t sum = fifth;
    for (size_t i = 0; i < tuple->count; i++) {
        uint64_t item;
        if (!host_deep(p, (Span){ 0 }) || !host_hash(p, tuple->items[i], &item))
            return false;
        sum += item * second;
        sum = (sum << 31 | sum >> 33) * first;
    }
    sum += tuple->count ^ (fifth ^ UINT64_C(3527539));
    *hash = sum == UINT64_MAX ? UINT64_C(1546275796) : sum;
    return true;
}

static uint64_t shuffled(uint64_t hash)
{
    return ((hash ^ UINT64_C(89869747)) ^ (hash << 16)) * UINT64_C(3644798167);
}

static uint64_t hash_set(const HostSet *set)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < set->slots; i++)
        if (host_set_has_item(&set->table[i]))
            hash ^= shuffled(set->table[i].hash);
    hash ^= (set->used + 1) * UINT64_C(1927868237);
    hash ^= (hash >> 11) ^ (hash >> 25);
    hash = hash * 69069 + UINT64_C(907133923);
    return hash == UINT64_MAX ? UINT64_C(590923713) : hash;
}

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++)
        hash = hash_with(hash, (unsigned char)text[i]);
    return hash;
}

/* @dataclass(frozen=True) gives a hash of the fields that its equality asks. */
static bool hash_fields(Program *p, HostValue object, uint64_t *hash)
{
    const HostClass *class_ = class_of(object);
    if (!(class_->frozen || class_->hashed) || object_has(object, "__eq__"))
        return host_fail(p, "TypeError", "unhashable type: '%s'", host_type_name(p, object));
    return host_deep(p, (Span){ 0 }) && host_hash(p, data_compared(p, object.instance), hash);
}

/* What its __hash__ says. */
static bool hash_of_object(Program *p, HostValue object, uint64_t *hash)
{
    HostValue value;
    if (!object_calls(p, object, "__hash__", NULL, 0, &value))
        return false;
    if (!host_is_whole(value))
        return host_fail(p, "TypeError", "__hash__ method should return an integer");
    return host_hash(p, value, hash);
}

static bool hash_of(Program *p, HostValue value, uint64_t *hash)
{
    *hash = (uint64_t)value.kind;
    if (host_is_number(value)) {
        *hash = hash_number(value);
        return true;
    }
    switch (value.kind) {
    case HOST_NONE:
    case HOST_ELLIPSIS:
        return true;
    case HOST_WIDE:
        *hash = wide_hash(p, value);
        return true;
    case HOST_STRING:
        *hash = hash_text(value.string->text, value.string->length);
        return true;
    case HOST_MODULE:
    case HOST_TYPE:
    case HOST_EXCEPTION_CLASS:
        *hash = hash_text(value.text, strlen(value.text));
        return true;
    case HOST_TUPLE:
        return hash_tuple(p, value.list, hash);
    case HOST_FROZEN_SET:
        *hash = hash_set(value.set);
        return true;
    case HOST_RANGE:
        *hash = hash_with(*hash, (uint64_t)value.range->count);
        *hash = hash_with(*hash, value.range->count ? (uint64_t)value.range->start : 0);
        return true;
    case HOST_DTYPE: /* x.dtype is not the key np.float32, though they are equal */
        *hash = hash_with((uint64_t)value.dtype,
                          value.dtype == KJIT_DTYPE_RECORD ? 2 : value.integer != 0);
        return true;
    case HOST_FOREIGN:
        return foreign_needed(p, value);
    case HOST_LIST:
    case HOST_SET:
    case HOST_DICT:
    case HOST_VIEW:
    case HOST_SLICE:
    case HOST_ARRAY:
    case HOST_EXPRESSION:
        return host_fail(p, "TypeError", "unhashable type: '%s'", host_type_name(p, value));
    case HOST_INSTANCE:
        *hash = (uint64_t)(uintptr_t)value.object;
        if (object_has(value, "__hash__"))
            return hash_of_object(p, value, hash);
        return object_is_hashable(value) || hash_fields(p, value, hash);
    default:
        *hash = (uint64_t)(uintptr_t)value.object;
        return true;
    }
}

bool host_hash(Program *p, HostValue value, uint64_t *hash)
{
    const bool fine = hash_of(p, value, hash);
    *hash = no_minus_one(*hash);
    return fine;
}

static bool builtin_hash(Program *p, HostArgs *args, HostValue *out)
{
    uint64_t hash;
    return host_hash(p, args->values[0], &hash) && host_give(out, host_int((int64_t)hash));
}

const HostBuiltin hash_functions[] = {
    { "hash", 1, 1, builtin_hash, NULL },
    { NULL, 0, 0, NULL, NULL },
};
