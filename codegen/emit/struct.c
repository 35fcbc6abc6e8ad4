/* The structs of tuples, arrays and records. One is written once for a unit, with the functions
** that make one of its parts. */
#include "codegen/emit/emit.h"

static bool is_tuple(const Type *type)
{
    return type_has_items(type) && !type_is_vector(type);
}

/* Whether two types have one struct: of an array, the layout does not matter. */
static bool same_struct(const Type *a, const Type *b)
{
    if (type_is_array(a) && type_is_array(b))
        return a->array.element == b->array.element && a->array.rank == b->array.rank;
    if (!is_tuple(a) || !is_tuple(b) || a->tuple.count != b->tuple.count)
        return a == b;
    for (int i = 0; i < a->tuple.count; i++)
        if (!same_struct(a->tuple.items[i], b->tuple.items[i]))
            return false;
    return true;
}

/* "f32", "array_f32_2", "tuple_i64_i64": the part that a type has in the name of a tuple. */
static const char *name_part(Emitter *e, const Type *type)
{
    return type_is_scalar(type) ? type_suffix(type) : type_text(e, type);
}

static const char *struct_name(Emitter *e, const Type *type)
{
    Buf name;

    if (type_is_record(type))
        return "record";
    if (type_is_vector(type))
        return type->tuple.names->name;
    if (type_is_array(type))
        return arena_printf(e->arena, "array_%s_%d", name_part(e, type->array.element),
                            type->array.rank);
    if (type->tuple.count > LONG_TUPLE)
        return arena_printf(e->arena, "tuple_of_%d", type->tuple.count);
    name = buf_in(e->arena);
    buf_puts(&name, "tuple");
    for (int i = 0; i < type->tuple.count; i++)
        buf_printf(&name, "_%s", name_part(e, type->tuple.items[i]));
    return buf_text(&name);
}

/* A name that no struct has yet: (a, (b, c)) and ((a, b), c) would share theirs. */
static const char *unique_struct_name(Emitter *e, const char *name)
{
    const char *unique = name;

    for (int n = 2, i = 0; i < e->struct_count; i++) {
        if (strcmp(e->structs[i].name, unique) != 0)
            continue;
        unique = arena_printf(e->arena, "%s_v%d", name, n++);
        i = -1;
    }
    return unique;
}

/* The structs of a record's fields come before it, and their names are its own. */
static void name_members(Emitter *e, StructInfo *info)
{
    int count = info->type->record.count;
    NameSet names;

    memset(&names, 0, sizeof names);
    table_init(&names.taken, e->arena);
    info->members = arena_array(e->arena, const char *, count + 1);
    for (int i = 0; i < count; i++) {
        type_text(e, info->type->record.fields[i].type);
        info->members[i] = name_unique(e, &names, info->type->record.fields[i].name);
    }
}

StructInfo *struct_of(Emitter *e, const Type *type)
{
    StructInfo info = { .type = type };

    for (int i = 0; i < e->struct_count; i++)
        if (same_struct(e->structs[i].type, type))
            return &e->structs[i];
    if (type_is_array(type))
        type_text(e, type->array.element);
    else if (type_is_record(type))
        name_members(e, &info);
    else
        for (int i = 0; i < type->tuple.count; i++)
            type_text(e, type->tuple.items[i]);
    info.name = unique_struct_name(e, struct_name(e, type));
    array_push(e->arena, e->structs, e->struct_count, e->struct_capacity) = info;
    return &e->structs[e->struct_count - 1];
}

const char *make_name(Emitter *e, const Type *type)
{
    StructInfo *info = struct_of(e, type);

    info->make = true;
    return arena_printf(e->arena, "make_%s", info->name);
}

const char *item_at_name(Emitter *e, const Type *type)
{
    StructInfo *info = struct_of(e, type);

    info->item_at = true;
    return arena_printf(e->arena, "item_of_%s", info->name);
}

const char *member_name(Emitter *e, const Type *record, int index)
{
    return struct_of(e, record)->members[index];
}

const char *unaligned_name(Emitter *e, const Type *type)
{
    if (type_is_scalar(type))
        return prelude(e, "unaligned", type);
    struct_of(e, type)->unaligned = true;
    return arena_printf(e->arena, "unaligned_%s", struct_of(e, type)->name);
}

const char *item_name(Emitter *e, const Type *type, int index)
{
    return type_is_vector(type) ? type->tuple.names->items[index]
                                : arena_printf(e->arena, "_%d", index);
}

/* ---- tuples and arrays ----------------------------------------------------------------- */

static void emit_tuple_struct(Emitter *e, const StructInfo *info)
{
    if (type_is_vector(info->type))
        open_block(e, "typedef struct __attribute__((aligned(%zu))) %s", type_align(info->type),
                   info->name);
    else
        open_block(e, "typedef struct %s", info->name);
    for (int i = 0; i < info->type->tuple.count; i++)
        line(e, "%s %s;", type_text(e, info->type->tuple.items[i]), item_name(e, info->type, i));
    if (!info->type->tuple.count)
        line(e, "char none;");
    close_block(e, arena_printf(e->arena, " %s;", info->name));
}

static void emit_array_struct(Emitter *e, const StructInfo *info)
{
    int rank = info->type->array.rank;

    open_block(e, "typedef struct %s", info->name);
    line(e, "%s *data;", type_text(e, info->type->array.element));
    if (rank)
        line(e, "long long shape[%d], strides[%d];", rank, rank);
    close_block(e, arena_printf(e->arena, " %s;", info->name));
}

/* ---- records --------------------------------------------------------------------------- */

static const char *member_text(Emitter *e, const StructInfo *info, int index)
{
    const RecordField *field = &info->type->record.fields[index];
    Buf out = buf_in(e->arena);
    buf_printf(&out, "%s %s", type_text(e, field->type), info->members[index]);
    for (int axis = 0; axis < field->rank; axis++)
        buf_printf(&out, "[%lld]", (long long)field->shape[axis]);
    return buf_text(&out);
}

/* The field that lies first at or behind `from`, or -1. */
static int next_field(const Type *record, size_t from, const bool *written)
{
    int next = -1;

    for (int i = 0; i < record->record.count; i++) {
        const RecordField *field = &record->record.fields[i];
        if (!written[i] && field->offset >= from &&
            (next < 0 || field->offset < record->record.fields[next].offset))
            next = i;
    }
    return next;
}

/* Members in the order they lie, with what lies between as bytes. */
static void emit_members(Emitter *e, const StructInfo *info)
{
    const Type *record = info->type;
    bool *written = arena_array(e->arena, bool, record->record.count + 1);
    size_t at = 0;
    int gaps = 0;

    for (int i; (i = next_field(record, at, written)) >= 0; written[i] = true) {
        const RecordField *field = &record->record.fields[i];
        if (field->offset > at)
            line(e, "char gap%d_[%zu];", gaps++, field->offset - at);
        line(e, "%s;", member_text(e, info, i));
        at = field->offset + type_size(field->type) * (size_t)record_field_count(field);
    }
    if (record->record.size > at)
        line(e, "char gap%d_[%zu];", gaps, record->record.size - at);
}

/* Members that share bytes: each in a struct of its own behind as many bytes as it takes. */
static void emit_shared_members(Emitter *e, const StructInfo *info)
{
    const Type *record = info->type;

    open_block(e, "union");
    line(e, "char bytes_[%zu];", record->record.size);
    for (int i = 0; i < record->record.count; i++) {
        size_t offset = record->record.fields[i].offset;
        open_block(e, "struct __attribute__((packed))");
        if (offset)
            line(e, "char gap%d_[%zu];", i, offset);
        line(e, "%s;", member_text(e, info, i));
        close_block(e, ";");
    }
    close_block(e, ";");
}

/* Whether C would lay a record's members out otherwise. */
static bool record_is_packed(const Type *record)
{
    for (int i = 0; i < record->record.count; i++)
        if (record_field_unaligned(record, &record->record.fields[i]))
            return true;
    return record_overlaps(record);
}

bool record_holds_packed(const Type *record)
{
    for (int i = 0; i < record->record.count; i++)
        if (type_is_record(record->record.fields[i].type) &&
            record_holds_packed(record->record.fields[i].type))
            return true;
    return record_is_packed(record);
}

/* Whether each field that is not where its type belongs is at whole words at least. */
static bool in_words(const Type *record)
{
    for (int i = 0; i < record->record.count; i++) {
        const RecordField *field = &record->record.fields[i];
        if (field->offset % 4 && record_field_unaligned(record, field))
            return false;
        if (type_is_record(field->type) && record_holds_packed(field->type))
            return false;
    }
    return record->record.align >= 4 && !record_overlaps(record);
}

/* What is said of where packed records lie. In CUDA fields are not to be put together of 16-bit
** words: see fixed.c. */
static size_t packed_align(const Emitter *e, const Type *record)
{
    return e->dialect == DIALECT_CUDA && !in_words(record) ? 1 : record->record.align;
}

/* Padding is written out, so that no compiler has a say in where members lie. */
static void emit_record_struct(Emitter *e, const StructInfo *info)
{
    const Type *record = info->type;

    if (record_is_packed(record) || (e->dialect == DIALECT_CUDA && record_holds_packed(record)))
        open_block(e, "typedef struct __attribute__((packed, aligned(%zu))) %s",
                   packed_align(e, record), info->name);
    else
        open_block(e, "typedef struct %s", info->name);
    if (record_overlaps(record))
        emit_shared_members(e, info);
    else
        emit_members(e, info);
    close_block(e, arena_printf(e->arena, " %s;", info->name));
    line(e, "%s(sizeof(%s) == %zu, \"records lie as they do outside\");",
         e->dialect == DIALECT_CUDA ? "static_assert" : "_Static_assert", info->name,
         record->record.size);
    if (info->unaligned) {
        open_block(e, "typedef struct __attribute__((packed)) unaligned_%s", info->name);
        line(e, "%s value;", info->name);
        close_block(e, arena_printf(e->arena, " unaligned_%s;", info->name));
    }
}

/* ---- functions ------------------------------------------------------------------------- */

/* Puts `before` and a number, for each axis or item, with commas. */
static void put_numbered(Buf *out, const char *before, int count)
{
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s%s%d", i ? ", " : "", before, i);
}

static void emit_make_tuple(Emitter *e, const StructInfo *info)
{
    const Type *type = info->type;
    Buf parameters = buf_in(e->arena);
    Buf items = buf_in(e->arena);
    for (int i = 0; i < type->tuple.count; i++)
        buf_printf(&parameters, "%s%s _%d", i ? ", " : "", type_text(e, type->tuple.items[i]), i);
    put_numbered(&items, "_", type->tuple.count);
    emit_signature(
        e, arena_printf(e->arena, "%s %s make_%s", function_words(e), info->name, info->name),
        buf_text(&parameters));
    line(e, "{");
    line(e, "    %s made = { %s };", info->name, items.length ? buf_text(&items) : "0");
}

static void emit_make_array(Emitter *e, const StructInfo *info)
{
    int rank = info->type->array.rank;
    Buf parameters = buf_in(e->arena);
    Buf items = buf_in(e->arena);
    buf_puts(&parameters, "const void *data");
    for (int i = 0; i < rank; i++)
        buf_printf(&parameters, ", long long n%d", i);
    for (int i = 0; i < rank; i++)
        buf_printf(&parameters, ", long long s%d", i);
    buf_printf(&items, "(%s *)data", type_text(e, info->type->array.element));
    if (rank) {
        buf_puts(&items, ", { ");
        put_numbered(&items, "n", rank);
        buf_puts(&items, " }, { ");
        put_numbered(&items, "s", rank);
        buf_puts(&items, " }");
    }
    emit_signature(
        e, arena_printf(e->arena, "%s %s make_%s", function_words(e), info->name, info->name),
        buf_text(&parameters));
    line(e, "{");
    line(e, "    %s made = { %s };", info->name, buf_text(&items));
}

/* The function that makes the struct of its parts. */
static void emit_make(Emitter *e, const StructInfo *info)
{
    line(e, "%s", "");
    if (type_has_items(info->type))
        emit_make_tuple(e, info);
    else
        emit_make_array(e, info);
    line(e, "%s", "");
    line(e, "    return made;");
    line(e, "}");
}

/* Item i of a tuple of equal types. */
static void emit_item_at(Emitter *e, const StructInfo *info)
{
    const Type *type = info->type;

    line(e, "%s", "");
    line(e, "%s %s item_of_%s(%s tuple, long long i)", function_words(e),
         type_text(e, type->tuple.items[0]), info->name, info->name);
    line(e, "{");
    e->depth++;
    for (int i = 0; i < type->tuple.count - 1; i++)
        line(e, "if (i == %d)\n        return tuple._%d;", i, i);
    line(e, "return tuple._%d;", type->tuple.count - 1);
    close_block(e, "");
}

/* ---- all of them ----------------------------------------------------------------------- */

void emit_structs(Emitter *e)
{
    for (int i = 0; i < e->struct_count; i++) {
        if (type_is_record(e->structs[i].type))
            emit_record_struct(e, &e->structs[i]);
        else if (type_is_array(e->structs[i].type))
            emit_array_struct(e, &e->structs[i]);
        else
            emit_tuple_struct(e, &e->structs[i]);
        if (e->structs[i].make)
            emit_make(e, &e->structs[i]);
        if (e->structs[i].item_at && e->structs[i].type->tuple.count)
            emit_item_at(e, &e->structs[i]);
        line(e, "%s", "");
    }
}
