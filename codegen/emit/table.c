/* Constant arrays: objects that the compiler fills, in constant memory on a GPU as far as that
** goes.
**
** Elements are written as their type's constants. Records, times, and floats that no constant
** stands for (NaN, infinities), are written as words, and the object is read as an array of the
** right type. */
#include "codegen/emit/expr.h"

#include <math.h>

/* What a module can have in constant memory, as the hardware has it. */
enum { CONSTANT_MEMORY = 64 * 1024 };

/* ---- which, and their names ------------------------------------------------------------------ */

static IrConstant element(Emitter *e, const IrTable *table, int64_t index)
{
    const unsigned char *from = table->bytes + (size_t)index * type_size(table->element);
    return ir_table_get(e->arena, table->element, from, (Span){ 0 })->constant;
}

/* Whether C has no constants for some of the elements. */
static bool needs_words(Emitter *e, const IrTable *table)
{
    const Type *type = table->element;
    if (type_is_record(type) || type_is_time(type))
        return true;
    if (type_is_half(type) || !(type_is_float(type) || type_is_complex(type)))
        return false;
    for (int64_t i = 0; i < ir_table_count(table); i++) {
        IrConstant value = element(e, table, i);
        bool finite = type_is_float(type)
                          ? isfinite(value.number)
                          : isfinite(value.complex.real) && isfinite(value.complex.imag);
        if (!finite)
            return true;
    }
    return false;
}

/* `[2][3]`; an axis without elements is given one, which is never read. */
static const char *brackets(Emitter *e, const IrTable *table)
{
    Buf out = buf_in(e->arena);
    for (int axis = 0; axis < table->rank; axis++)
        buf_printf(&out, "[%lld]", table->shape[axis] ? (long long)table->shape[axis] : 1LL);
    return buf_text(&out);
}

static void enter_table(Emitter *e, const IrTable *table)
{
    for (int i = 0; i < e->table_count; i++)
        if (e->tables[i].table == table)
            return;
    EmittedTable *entry = &array_push(e->arena, e->tables, e->table_count, e->table_capacity);
    *entry = (EmittedTable){ .table = table, .words = needs_words(e, table) };
    entry->name = name_unique(e, &e->globals, table->name ? table->name : "table");
    entry->text = !entry->words
                      ? entry->name
                      : arena_printf(e->arena, "(*(const %s (*)%s)%s)",
                                     type_text(e, table->element), brackets(e, table), entry->name);
}

static void enter_value(void *context, IrValue *value)
{
    if (value->op == OP_var && value->var->kind == VAR_CONSTANT)
        enter_table(context, value->var->table);
}

static void enter_function(Emitter *e, const IrFunc *fn)
{
    if (ir_has_kind(fn, VAR_CONSTANT))
        ir_each_node_in(&fn->body, enter_value, e);
}

void emit_enter_tables(Emitter *e)
{
    for (int i = 0; i < e->unit->count; i++)
        enter_function(e, e->unit->functions[i]);
    enter_function(e, e->unit->kernel);
}

const char *emit_table_name(const Emitter *e, const IrTable *table)
{
    for (int i = 0; i < e->table_count; i++)
        if (e->tables[i].table == table)
            return e->tables[i].text;
    return "unread"; /* its elements are constants where they are read */
}

/* ---- definitions --------------------------------------------------------------------------- */

/* The type of the words that an element consists of. */
static size_t word_size(const Type *element)
{
    return type_is_record(element)    ? 1
           : type_is_complex(element) ? type_size(element) / 2
                                      : type_size(element);
}

static const char *word_type(Emitter *e, size_t size)
{
    return type_text(e, size == 1   ? type_of(UINT8)
                        : size == 2 ? type_of(UINT16)
                        : size == 4 ? type_uint32
                                    : type_uint64);
}

static const char *word_text(Emitter *e, const unsigned char *from, size_t size)
{
    uint64_t word = 0;

    memcpy(&word, from, size);
    return arena_printf(e->arena, "0x%llx", (unsigned long long)word);
}

static const char *element_constant(Emitter *e, const IrTable *table, int64_t index)
{
    const Type *type = table->element, *part;
    IrConstant value = element(e, table, index), parts[2];

    if (type_is_half(type))
        return word_text(e, table->bytes + type_size(type) * (size_t)index, type_size(type));
    if (!type_is_complex(type))
        return constant_text(e, type, value, PREC_ARGUMENT, false);
    part = type_complex_part(type);
    parts[0].number = value.complex.real;
    parts[1].number = value.complex.imag;
    return arena_printf(e->arena, "%s, %s", constant_text(e, part, parts[0], PREC_ARGUMENT, false),
                        constant_text(e, part, parts[1], PREC_ARGUMENT, false));
}

/* The items of an initialiser, as many on a line as fit. */
static void emit_items(Emitter *e, const EmittedTable *entry)
{
    enum { COLUMNS = 92 };
    const IrTable *table = entry->table;
    size_t word = word_size(table->element);
    int64_t count = entry->words ? (int64_t)(table->size / word) : ir_table_count(table);
    Buf out = buf_in(e->arena);
    for (int64_t i = 0; i < count; i++) {
        const char *item = entry->words ? word_text(e, table->bytes + word * (size_t)i, word)
                                        : element_constant(e, table, i);
        if (out.length && out.length + strlen(item) + 2 > COLUMNS) {
            line(e, "%s", buf_text(&out));
            out.length = 0;
        }
        buf_printf(&out, "%s%s%s", out.length ? " " : "", item, i + 1 < count ? "," : "");
    }
    if (!count)
        buf_puts(&out, "0");
    line(e, "%s", buf_text(&out));
}

/* Where a GPU keeps an array: in constant memory while that has room. */
static const char *space(const Emitter *e, const IrTable *table, size_t *used)
{
    if (e->dialect != DIALECT_CUDA)
        return "static const";
    size_t begin = (*used + 15) / 16 * 16;
    if (begin + table->size > CONSTANT_MEMORY)
        return "static __device__ const";
    *used = begin + table->size;
    return "static __constant__ const";
}

static void emit_table(Emitter *e, const EmittedTable *entry, size_t *used)
{
    const IrTable *table = entry->table;
    const char *words = space(e, table, used);
    const char *align = e->dialect == DIALECT_CUDA ? "__align__(16) " : "_Alignas(16) ";
    size_t word = word_size(table->element);

    if (entry->words)
        line(e, "%s %s%s %s[%zu] = {", words, align, word_type(e, word), entry->name,
             table->size ? table->size / word : 1);
    else
        line(e, "%s %s %s%s = {", words, type_text(e, table->element), entry->name,
             brackets(e, table));
    e->depth++;
    emit_items(e, entry);
    close_block(e, ";");
    line(e, "%s", "");
}

void emit_tables(Emitter *e)
{
    size_t used = 0;

    for (int i = 0; i < e->table_count; i++)
        emit_table(e, &e->tables[i], &used);
}
