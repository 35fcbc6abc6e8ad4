/* Record descriptions of the public header: checking them, packing them into keys of types, and
** conversion from and to the compiler's types. */
#include "runtime/array/array.h"

size_t array_item_bytes(const kjit_array *array)
{
    if (array->dtype == KJIT_DTYPE_RECORD)
        return array->record ? array->record->bytes : 0;
    return kjit_dtype_bytes(array->dtype);
}

size_t kjit_array_itemsize(const kjit_array *array)
{
    return array_item_bytes(array);
}

kjit_array kjit_record_array(void *data, const kjit_record *record, int32_t rank,
                             const int64_t *shape)
{
    kjit_array array = kjit_host_array(data, KJIT_DTYPE_RECORD, rank, shape);

    array.record = record;
    array_set_strides(&array, false);
    return array;
}

kjit_array kjit_field_array(const kjit_array *array, size_t index)
{
    const kjit_record *record = array->dtype == KJIT_DTYPE_RECORD ? array->record : NULL;

    if (!record || index >= record->count ||
        array->rank + record->fields[index].rank > KJIT_RANK_MAX)
        return (kjit_array){ 0 };
    return array_field(array, &record->fields[index]);
}

static bool same_field(const kjit_field *a, const kjit_field *b)
{
    return a->dtype == b->dtype && a->offset == b->offset && a->rank == b->rank &&
           memcmp(a->shape, b->shape, sizeof a->shape[0] * (size_t)a->rank) == 0 &&
           strcmp(a->name, b->name) == 0 &&
           (a->dtype != KJIT_DTYPE_RECORD || dtype_same_record(a->record, b->record));
}

bool dtype_same_record(const kjit_record *a, const kjit_record *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (a->bytes != b->bytes || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_field(&a->fields[i], &b->fields[i]))
            return false;
    return true;
}

/* ---- checking ------------------------------------------------------------------------- */

static kjit_status check_record(const kjit_record *record, const char *name, int depth);

/* Errors in the records of the argument `name`, or in a field of theirs. */
#define BAD_FIELD(name, field, rule, ...)                                                          \
    error_set(KJIT_ARGUMENT, "error: the field '%s' of the records of %s%s%s " rule,               \
              (field)->name, QUOTED(name), ##__VA_ARGS__)
#define BAD_RECORD(name, rule, ...)                                                                \
    error_set(KJIT_ARGUMENT, "error: the records of %s%s%s have " rule, QUOTED(name), ##__VA_ARGS__)

/* Checks that a field is within its record. */
static kjit_status check_extent(const kjit_field *field, size_t bytes, const char *name)
{
    uint64_t own =
        field->dtype == KJIT_DTYPE_RECORD ? field->record->bytes : kjit_dtype_bytes(field->dtype);

    for (int i = 0; i < field->rank; i++) {
        if (field->shape[i] < 1)
            return BAD_FIELD(name, field, "has %lld elements along axis %d, and 1 is the least",
                             (long long)field->shape[i], i);
        if (__builtin_mul_overflow(own, (uint64_t)field->shape[i], &own))
            own = UINT64_MAX;
    }
    if (own > bytes || field->offset > bytes - own)
        return BAD_FIELD(name, field, "ends behind the record's %zu bytes: it begins at %zu", bytes,
                         field->offset);
    return KJIT_OK;
}

static kjit_status check_field(const kjit_record *record, size_t index, const char *name, int depth)
{
    const kjit_field *field = &record->fields[index];

    if (!field->name || !*field->name)
        return BAD_RECORD(name, "a field without a name: number %zu", index);
    for (size_t k = 0; k < index; k++)
        if (strcmp(record->fields[k].name, field->name) == 0)
            return BAD_RECORD(name, "two fields called '%s'", field->name);
    if (field->rank < 0 || field->rank > KJIT_RANK_MAX)
        return BAD_FIELD(name, field, "has %d axes: 0 to %d are possible", (int)field->rank,
                         KJIT_RANK_MAX);
    if (field->dtype == KJIT_DTYPE_RECORD)
        KJIT_TRY(check_record(field->record, name, depth + 1));
    else if (!kjit_dtype_bytes(field->dtype))
        return BAD_FIELD(name, field, "is of no dtype: %d", (int)field->dtype);
    return check_extent(field, record->bytes, name);
}

static kjit_status check_record(const kjit_record *record, const char *name, int depth)
{
    if (!record)
        return BAD_RECORD(name, "no description: record is NULL");
    if (depth == KJIT_RECORD_DEPTH_MAX)
        return BAD_RECORD(name, "more than %d records inside each other", depth);
    if (!record->fields || !record->count)
        return BAD_RECORD(name, "no fields");
    if (record->count > KJIT_FIELDS_MAX)
        return BAD_RECORD(name, "%zu fields, and %d is the limit", record->count, KJIT_FIELDS_MAX);
    if (record->bytes > INT32_MAX)
        return BAD_RECORD(name, "%zu bytes, and %d is the limit", record->bytes, INT32_MAX);
    for (size_t i = 0; i < record->count; i++)
        KJIT_TRY(check_field(record, i, name, depth));
    return KJIT_OK;
}

kjit_status dtype_check_record(const kjit_record *record, const char *name)
{
    return check_record(record, name, 0);
}

/* ---- keys ----------------------------------------------------------------------------- */

static kjit_status push_name(KeyWriter *key, const char *name)
{
    size_t length = strlen(name);

    KJIT_TRY(key_push(key, (uint32_t)length));
    for (size_t at = 0; at < length; at += 4) {
        uint32_t word = 0;
        memcpy(&word, name + at, length - at < 4 ? length - at : 4);
        KJIT_TRY(key_push(key, word));
    }
    return KJIT_OK;
}

kjit_status dtype_pack_record(KeyWriter *key, const kjit_record *record)
{
    KJIT_TRY(key_push(key, (uint32_t)record->bytes));
    KJIT_TRY(key_push(key, (uint32_t)record->count));
    for (size_t i = 0; i < record->count; i++) {
        const kjit_field *field = &record->fields[i];
        KJIT_TRY(push_name(key, field->name));
        KJIT_TRY(key_push(key, (uint32_t)field->dtype | (uint32_t)field->rank << 8));
        KJIT_TRY(key_push(key, (uint32_t)field->offset));
        for (int axis = 0; axis < field->rank; axis++)
            KJIT_TRY(key_push(key, (uint32_t)field->shape[axis]));
        if (field->dtype == KJIT_DTYPE_RECORD)
            KJIT_TRY(dtype_pack_record(key, field->record));
    }
    return KJIT_OK;
}

static const char *read_name(Arena *arena, const uint32_t *key, int *at)
{
    uint32_t length = key[(*at)++];
    const char *name = arena_strndup(arena, (const char *)(key + *at), length);

    *at += (int)(length + 3) / 4;
    return name;
}

const Type *dtype_unpack_record(Arena *arena, Types *types, const uint32_t *key, int *at)
{
    size_t bytes = key[(*at)++];
    int count = (int)key[(*at)++];
    RecordField *fields = arena_array(arena, RecordField, count);

    for (int i = 0; i < count; i++) {
        fields[i].name = read_name(arena, key, at);
        uint32_t word = key[(*at)++];
        fields[i].offset = key[(*at)++];
        fields[i].rank = (int)(word >> 8);
        for (int axis = 0; axis < fields[i].rank; axis++)
            fields[i].shape[axis] = key[(*at)++];
        kjit_dtype dtype = (kjit_dtype)(word & 255);
        fields[i].type = dtype == KJIT_DTYPE_RECORD ? dtype_unpack_record(arena, types, key, at)
                                                    : dtype_type(dtype);
    }
    return type_record(types, fields, count, bytes);
}

/* ---- from the compiler's types --------------------------------------------------------------- */

/* The size of a record's description. */
static void measure(const Type *record, size_t *records, size_t *fields, size_t *letters)
{
    *records += 1;
    *fields += (size_t)record->record.count;
    for (int i = 0; i < record->record.count; i++) {
        const RecordField *field = &record->record.fields[i];
        *letters += strlen(field->name) + 1;
        if (type_is_record(field->type))
            measure(field->type, records, fields, letters);
    }
}

/* Memory for the next parts of a description. */
typedef struct RecordRoom {
    kjit_record *record;
    kjit_field *field;
    char *letter;
} RecordRoom;

static const kjit_record *describe(RecordRoom *room, const Type *type)
{
    kjit_record *record = room->record++;
    kjit_field *fields = room->field;

    room->field += type->record.count;
    *record = (kjit_record){ .fields = fields,
                             .count = (size_t)type->record.count,
                             .bytes = type->record.size };
    for (int i = 0; i < type->record.count; i++) {
        const RecordField *from = &type->record.fields[i];
        size_t length = strlen(from->name) + 1;
        fields[i] = (kjit_field){ .name = memcpy(room->letter, from->name, length),
                                  .offset = from->offset,
                                  .rank = from->rank };
        room->letter += length;
        memcpy(fields[i].shape, from->shape, sizeof from->shape[0] * (size_t)from->rank);
        bool inner = type_is_record(from->type);
        fields[i].dtype = inner ? KJIT_DTYPE_RECORD : type_dtype(from->type);
        fields[i].record = inner ? describe(room, from->type) : NULL;
    }
    return record;
}

kjit_record *dtype_make_record(const Type *type)
{
    size_t records = 0, fields = 0, letters = 0;

    measure(type, &records, &fields, &letters);
    char *block =
        memory_zeroed(1, records * sizeof(kjit_record) + fields * sizeof(kjit_field) + letters);
    if (!block)
        return NULL;
    RecordRoom room = { .record = (kjit_record *)(void *)block };
    room.field = (kjit_field *)(void *)(room.record + records);
    room.letter = (char *)(room.field + fields);
    describe(&room, type);
    return (kjit_record *)(void *)block;
}
