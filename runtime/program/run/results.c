/* What a program leaves: the values of its module's names. */
#include "runtime/program/arrays.h"
#include "runtime/values/values.h"

enum { TUPLES_MOST = 64 }; /* within each other, as results; longer lists of pairs are none */

/* The block's memory becomes the values'. */
static bool hand_over(Program *p, kjit_values *values, HostBlock *block)
{
    if (!block->raw)
        return true;
    ValueBlock *own = memory_alloc(sizeof *own);
    if (!own)
        return host_failed(p, error_memory());
    *own = (ValueBlock){ .next = values->blocks,
                         .raw = block->raw,
                         .mapped = block->mapped,
                         .begin = block->begin,
                         .end = block->begin + (block->bytes ? block->bytes : 1) };
    values->blocks = own;
    block->raw = NULL;
    return true;
}

bool host_argument(Program *p, kjit_values *values, HostValue value, kjit_arg *out)
{
    HostArray *array;
    if (!host_settle(p, &value))
        return false;
    wide_natural(value, &value);
    if (value.kind == HOST_WIDE)
        return host_fail(p, "OverflowError", "integers beyond 64 bits are no arguments of kernels");
    if (host_is_number(value)) {
        *out = host_scalar(value);
        return true;
    }
    if (value.kind == HOST_ARRAY || value.kind == HOST_LIST || value.kind == HOST_RANGE) {
        if (!host_array_from(p, value, KJIT_DTYPE_NONE, &array))
            return false;
        *out = kjit_arg_array(array->view);
        if (array->block->unwritten)
            out->as.array.flags |= KJIT_UNWRITTEN;
        return (!array->block->raw || host_array_read(p, array)) &&
               (!values || hand_over(p, values, array->block));
    }
    if (value.kind != HOST_TUPLE)
        return host_fail(
            p, "TypeError", "kernels take numbers, arrays and tuples of such, not %s%s",
            value.kind == HOST_NONE ? "None" : host_type_name(p, value),
            value.kind == HOST_BUILTIN || value.kind == HOST_FUNCTION || value.kind == HOST_METHOD
                ? "; write () behind it to call it"
                : "");
    kjit_arg *items = arena_array(p->arena, kjit_arg, value.list->count + 1);
    for (size_t i = 0; i < value.list->count; i++)
        if (!host_argument(p, values, value.list->items[i], &items[i]))
            return false;
    *out = kjit_arg_tuple(items, value.list->count);
    return true;
}

/* Whether kernels take it as it is; tuples lie within each other on so many levels at the most. */
static bool is_argument(HostValue value, int levels)
{
    for (size_t i = 0; value.kind == HOST_TUPLE && i < value.list->count; i++)
        if (levels == 0 || !is_argument(value.list->items[i], levels - 1))
            return false;
    return host_is_number(value) || value.kind == HOST_ARRAY || value.kind == HOST_TUPLE;
}

kjit_status host_results(Program *p, kjit_values *values)
{
    const HostEnv *globals = p->globals;
    for (size_t i = 0; i < globals->capacity; i++) {
        const HostName *slot = &globals->slots[i];
        kjit_arg arg;
        if (!slot->name || !slot->bound || !is_argument(slot->value, TUPLES_MOST))
            continue;
        p->status = KJIT_OK;
        if (host_argument(p, values, slot->value, &arg))
            KJIT_TRY(values_put(values, slot->name, &arg));
        else if (p->status != KJIT_OK && p->status != KJIT_ARGUMENT)
            return program_report(p); /* the device's, or another rank's failure */
        else
            host_forget(p);
    }
    values_take_records(values, p->values);
    return KJIT_OK;
}

/* The slot of a name where the program is. */
static const HostName *seen(const Program *p, const char *name)
{
    for (const HostEnv *env = p->frame->env; env; env = env->outer) {
        const HostName *slot = env_find(env, name);
        if (slot && slot->bound)
            return slot;
    }
    const HostName *slot = env_find(p->globals, name);
    return slot && slot->bound ? slot : NULL;
}

kjit_status kjit_program_value(kjit_program_state *state, const char *name, kjit_arg *arg)
{
    Program *p = (Program *)state;
    const HostName *slot = p && name && arg ? seen(p, name) : NULL;
    if (!slot || !is_argument(slot->value, TUPLES_MOST) ||
        !host_argument(p, NULL, slot->value, arg))
        return error_set(KJIT_ARGUMENT, "error: the program holds no value for kernels called '%s'",
                         name ? name : "");
    return KJIT_OK;
}
