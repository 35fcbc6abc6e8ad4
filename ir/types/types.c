/* Types as values: the constants, the interned compounds, their names and sizes. */
#include "ir/types/types.h"

#include <limits.h>

const Type type_table[TY_KINDS] = {
    [TY_ERROR] = { .kind = TY_ERROR },
    [TY_NONE] = { .kind = TY_NONE },
#define TYPE(NAME, name, bytes, class, descr) [TY_##NAME] = { .kind = TY_##NAME },
#include "ir/types/types.def"
};

const ScalarInfo type_scalars[TY_KINDS] = {
#define TYPE(NAME, name, bytes, class, descr) [TY_##NAME] = { #name, bytes, CLASS_##class },
#include "ir/types/types.def"
};

void types_init(Types *types, Arena *arena)
{
    *types = (Types){ .arena = arena, .interned.arena = arena };
}

bool type_same_names(const Type *a, const Type *b)
{
    const TupleNames *x = a->tuple.names, *y = b->tuple.names;
    if (x == y || !x || !y || type_is_enum(a) || !x->items || !y->items)
        return x == y;
    if (a->tuple.count != b->tuple.count)
        return false;
    bool same = strcmp(x->name, y->name) == 0;
    for (int i = 0; same && i < a->tuple.count; i++)
        same = strcmp(x->items[i], y->items[i]) == 0;
    return same;
}

static bool type_equal(const Type *a, const Type *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == TY_RECORD)
        return record_equal(a, b);
    if (a->kind == TY_ARRAY)
        return a->array.element == b->array.element && a->array.rank == b->array.rank &&
               a->array.layout == b->array.layout && a->array.readonly == b->array.readonly &&
               a->array.unaligned == b->array.unaligned;
    return a->tuple.count == b->tuple.count && a->tuple.optional == b->tuple.optional &&
           type_same_names(a, b) &&
           memcmp(a->tuple.items, b->tuple.items,
                  (size_t)a->tuple.count * sizeof(a->tuple.items[0])) == 0;
}

/* Types that type_equal() finds equal have the same. */
static uint64_t type_hash(const Type *type)
{
    uint64_t hash = type->kind;
    if (type->kind == TY_RECORD)
        return hash_with(hash_with(hash, type->record.size), (uint64_t)type->record.count);
    if (type->kind == TY_ARRAY)
        return hash_with(hash_with(hash, (uintptr_t)type->array.element),
                         (uint64_t)type->array.rank * 4 + type->array.layout);
    for (int i = 0; i < type->tuple.count; i++)
        hash = hash_with(hash, (uintptr_t)type->tuple.items[i]);
    return hash;
}

static void copy_record(Arena *arena, Type *fresh)
{
    int count = fresh->record.count;
    RecordField *fields = arena_array(arena, RecordField, count + 1);
    for (int i = 0; i < count; i++) {
        fields[i] = fresh->record.fields[i];
        fields[i].name = arena_strdup(arena, fields[i].name);
    }
    fresh->record.fields = fields;
}

static int count_leaves(const Type *type)
{
    int64_t leaves = 0;
    for (int i = 0; i < type->tuple.count; i++) {
        const Type *item = type->tuple.items[i];
        leaves += type_has_items(item) ? item->leaves : 1;
    }
    return leaves < INT_MAX ? (int)leaves : INT_MAX;
}

const Type *type_intern(Types *types, const Type *candidate)
{
    uint64_t hash = type_hash(candidate);
    size_t step = 0;
    const Type *found;
    while ((found = hashes_next(&types->interned, hash, &step)))
        if (type_equal(found, candidate))
            return found;
    Type *fresh = arena_new(types->arena, Type);
    *fresh = *candidate;
    if (type_has_items(fresh))
        fresh->leaves = count_leaves(candidate);
    if (type_has_items(fresh))
        fresh->tuple.items =
            arena_grow(types->arena, candidate->tuple.items,
                       (size_t)candidate->tuple.count * sizeof(candidate->tuple.items[0]),
                       (size_t)candidate->tuple.count * sizeof(candidate->tuple.items[0]));
    if (fresh->kind == TY_RECORD)
        copy_record(types->arena, fresh);
    hashes_put(&types->interned, hash, fresh);
    return fresh;
}

const Type *type_tuple(Types *types, const Type *const *items, int count)
{
    return type_tuple_named(types, items, count, NULL);
}

const Type *type_tuple_named(Types *types, const Type *const *items, int count,
                             const TupleNames *names)
{
    Type candidate = { .kind = TY_TUPLE, .tuple = { items, count, names, false } };
    return type_intern(types, &candidate);
}

const Type *type_optional(Types *types, const Type *value)
{
    if (type_is_optional(value))
        return value;
    const Type *items[] = { type_bool, value };
    int count = value->kind == TY_NONE ? 1 : 2;
    Type candidate = { .kind = TY_TUPLE, .tuple = { items, count, NULL, true } };
    return type_intern(types, &candidate);
}

const Type *type_array(Types *types, const Type *element, int rank, ArrayLayout layout,
                       bool readonly)
{
    Type candidate = { .kind = TY_ARRAY, .array = { element, rank, layout, readonly, false } };
    return type_intern(types, &candidate);
}

const Type *type_array_like(Types *types, const Type *like, const Type *element, int rank,
                            ArrayLayout layout, bool unaligned)
{
    Type candidate = { .kind = TY_ARRAY,
                       .array = { element, rank, layout, like->array.readonly, unaligned } };
    return type_intern(types, &candidate);
}

const Type *type_enum(Types *types, const TupleNames *names, bool integer, const Type *item)
{
    Type candidate = { .kind = integer ? TY_INT_ENUM : TY_ENUM,
                       .tuple = { &item, 1, names, false } };
    return type_intern(types, &candidate);
}

bool type_is_float8(const Type *type)
{
    return type->kind == TY_FLOAT8_E4M3 || type->kind == TY_FLOAT8_E5M2;
}

bool type_is_integral(const Type *type)
{
    return type_is_integer(type) || type->kind == TY_BOOL;
}

bool type_is_half(const Type *type)
{
    return type_is_float(type) && type_size(type) <= 2;
}

bool type_is_number(const Type *type)
{
    return type_is_integer(type) || type_is_float(type);
}

bool type_is_real(const Type *type)
{
    TypeClass class = type_class(type);
    return class != CLASS_OTHER && class != CLASS_COMPLEX;
}

bool type_is_complex(const Type *type)
{
    return type_class(type) == CLASS_COMPLEX;
}

bool type_is_tuple(const Type *type)
{
    return type->kind == TY_TUPLE;
}

bool type_is_vector(const Type *type)
{
    return type->kind == TY_VECTOR;
}

bool type_has_items(const Type *type)
{
    return type_is_tuple(type) || type_is_vector(type) || type_is_enum(type) || type_is_time(type);
}

bool type_is_enum(const Type *type)
{
    return type->kind == TY_ENUM || type->kind == TY_INT_ENUM;
}

const Type *type_plain(const Type *type)
{
    return type->kind == TY_INT_ENUM ? type->tuple.items[0] : type;
}

int type_find_item(const Type *type, const char *name)
{
    const TupleNames *names = type->tuple.names;
    for (int i = 0; names && i < type->tuple.count; i++)
        if (strcmp(names->items[i], name) == 0)
            return i;
    return -1;
}

bool type_is_uniform(const Type *tuple)
{
    for (int i = 1; i < tuple->tuple.count; i++)
        if (tuple->tuple.items[i] != tuple->tuple.items[0])
            return false;
    return true;
}

bool type_is_optional(const Type *type)
{
    return type->kind == TY_TUPLE && type->tuple.optional;
}

const Type *type_optional_value(const Type *optional)
{
    return optional->tuple.count > 1 ? optional->tuple.items[1] : type_none;
}

bool type_is_record(const Type *type)
{
    return type->kind == TY_RECORD;
}

bool type_is_record_ref(const Type *type)
{
    return type_is_array(type) && type->array.rank == 0 && type_is_record(type->array.element);
}

bool type_holds_arrays(const Type *type)
{
    if (!type_is_tuple(type))
        return type_is_array(type);
    for (int i = 0; i < type->tuple.count; i++)
        if (type_holds_arrays(type->tuple.items[i]))
            return true;
    return false;
}

size_t type_align(const Type *type)
{
    if (type_is_complex(type))
        return type_scalars[type->kind].bytes / 2;
    if (type_is_array(type))
        return 8;
    if (type_is_record(type))
        return type->record.align;
    if (!type_has_items(type))
        return type_scalars[type->kind].bytes ? type_scalars[type->kind].bytes : 1;
    if (type_is_vector(type)) { /* as in CUDA: of two and four together, as far as 16 */
        size_t part = type_align(type->tuple.items[0]), count = (size_t)type->tuple.count;
        return count == 3 ? part : part * count < 16 ? part * count : 16;
    }
    size_t align = 1;
    for (int i = 0; i < type->tuple.count; i++) {
        size_t item = type_align(type->tuple.items[i]);
        align = item > align ? item : align;
    }
    return align;
}

size_t type_size(const Type *type)
{
    if (type_is_scalar(type)) /* asked most often */
        return type_scalars[type->kind].bytes;
    if (type_is_array(type))
        return 8 + 16 * (size_t)type->array.rank;
    if (type_is_record(type))
        return type->record.size;
    if (!type_has_items(type))
        return 0;
    size_t size = 0;
    for (int i = 0; i < type->tuple.count; i++)
        size = round_up(size, type_align(type->tuple.items[i])) + type_size(type->tuple.items[i]);
    return type->tuple.count ? round_up(size, type_align(type)) : 1; /* as C++ has empty structs */
}

const Type *type_complex_part(const Type *type)
{
    return type->kind == TY_COMPLEX64 ? type_float32 : type_float64;
}

const Type *type_by_name(const char *name)
{
    static const struct {
        const char *name;
        TypeKind kind;
    } aliases[] = {
        { "boolean", TY_BOOL },
        { "bool_", TY_BOOL },
        { "b1", TY_BOOL },
        { "i1", TY_INT8 },
        { "i2", TY_INT16 },
        { "i4", TY_INT32 },
        { "i8", TY_INT64 },
        { "intp", TY_INT64 },
        { "int_", TY_INT64 },
        { "u1", TY_UINT8 },
        { "u2", TY_UINT16 },
        { "u4", TY_UINT32 },
        { "u8", TY_UINT64 },
        { "uintp", TY_UINT64 },
        { "uint", TY_UINT64 },
        { "f2", TY_FLOAT16 },
        { "f4", TY_FLOAT32 },
        { "f8", TY_FLOAT64 },
        { "c8", TY_COMPLEX64 },
        { "c16", TY_COMPLEX128 },
        { "byte", TY_UINT8 },
        { "double", TY_FLOAT64 },
        { "float_", TY_FLOAT64 },
        { "single", TY_FLOAT32 },
        { "half", TY_FLOAT16 },
        { "intc", TY_INT32 },
        { "uintc", TY_UINT32 },
        { "char", TY_INT8 },
        { "short", TY_INT16 },
        { "long_", TY_INT64 },
        { "long", TY_INT64 },
        { "longlong", TY_INT64 },
        { "ssize_t", TY_INT64 },
        { "uchar", TY_UINT8 },
        { "ubyte", TY_UINT8 },
        { "ushort", TY_UINT16 },
        { "ulong", TY_UINT64 },
        { "size_t", TY_UINT64 },
        { "ulonglong", TY_UINT64 },
        { "csingle", TY_COMPLEX64 },
        { "cdouble", TY_COMPLEX128 },
        { "float8_e4m3fn", TY_FLOAT8_E4M3 },
    };
    for (int kind = TY_FIRST_SCALAR; kind <= TY_LAST_SCALAR; kind++)
        if (strcmp(type_scalars[kind].name, name) == 0)
            return &type_table[kind];
    for (size_t i = 0; i < ARRAY_COUNT(aliases); i++)
        if (strcmp(aliases[i].name, name) == 0)
            return &type_table[aliases[i].kind];
    return NULL;
}

static void print_array(Buf *out, const Type *type)
{
    if (type->array.readonly)
        buf_puts(out, "readonly ");
    type_print(out, type->array.element);
    if (type_is_record_ref(type))
        return;
    if (type->array.rank == 0) {
        buf_puts(out, "[()]");
        return;
    }
    buf_putc(out, '[');
    for (int axis = 0; axis < type->array.rank; axis++) {
        bool unit = (type->array.layout == LAYOUT_C && axis == type->array.rank - 1) ||
                    (type->array.layout == LAYOUT_F && axis == 0);
        buf_printf(out, "%s%s", axis ? ", " : "", unit ? "::1" : ":");
    }
    buf_putc(out, ']');
}

static void print_tuple(Buf *out, const Type *type)
{
    const TupleNames *names = type->tuple.names;
    if (type_is_optional(type) && type->tuple.count == 1) {
        buf_puts(out, "None");
        return;
    }
    if (type_is_optional(type)) {
        buf_puts(out, "Optional(");
        type_print(out, type_optional_value(type));
        buf_putc(out, ')');
        return;
    }
    if (!names && type->tuple.count > LONG_TUPLE && type_is_uniform(type)) {
        buf_puts(out, "UniTuple(");
        type_print(out, type->tuple.items[0]);
        buf_printf(out, ", %d)", type->tuple.count);
        return;
    }
    if (names && !names->items) {
        buf_puts(out, names->name);
        return;
    }
    buf_printf(out, "%s(", names ? names->name : "");
    for (int i = 0; i < type->tuple.count; i++) {
        buf_puts(out, i ? ", " : "");
        type_print(out, type->tuple.items[i]);
    }
    buf_puts(out, type->tuple.count == 1 && !names ? ",)" : ")");
}

void type_print(Buf *out, const Type *type)
{
    if (type_is_array(type))
        print_array(out, type);
    else if (type_is_tuple(type))
        print_tuple(out, type);
    else if (type_is_vector(type) || type_is_enum(type) || type_is_time(type))
        buf_puts(out, type->tuple.names->name);
    else if (type_is_characters(type))
        characters_print(out, type);
    else if (type_is_record(type))
        record_print(out, type);
    else
        buf_puts(out, type->kind == TY_NONE    ? "none"
                      : type->kind == TY_ERROR ? "an unknown type"
                                               : type_scalars[type->kind].name);
}

const char *type_name(Arena *arena, const Type *type)
{
    Buf out = buf_in(arena);
    type_print(&out, type);
    return buf_text(&out);
}

bool type_is_of_characters(const char *name)
{
    name += *name && strchr("<>=|", *name) ? 1 : 0;
    return (*name == 'S' || *name == 'U') && name[1 + strspn(name + 1, "0123456789")] == '\0';
}
