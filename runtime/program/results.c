/* What a program leaves: the values of its module's names, for who ran it. */
#include "runtime/program/arrays.h"
#include "runtime/values/values.h"

/* The block's memory becomes the values'. */
static bool hand_over(kjit_values *values, HostBlock *block)
{
    if (!block->raw)
        return true;
    ValueBlock *own = memory_alloc(sizeof *own);
    if (!own)
        return false;
    *own = (ValueBlock){ .next = values->blocks,
                         .raw = block->raw,
                         .begin = block->begin,
                         .end = block->begin + (block->bytes ? block->bytes : 1) };
    values->blocks = own;
    block->raw = NULL;
    return true;
}

/* A value as an argument; false if kernels take no such. Without `values` its memory stays the
** program's. */
static bool as_argument(Program *p, kjit_values *values, HostValue value, kjit_arg *out)
{
    if (host_is_number(value)) {
        *out = host_scalar(value);
        return true;
    }
    if (value.kind == HOST_ARRAY && !value.array->block->record) {
        *out = kjit_arg_array(value.array->view);
        return host_array_read(p, value.array) &&
               (!values || hand_over(values, value.array->block));
    }
    if (value.kind != HOST_TUPLE)
        return false;
    kjit_arg *items = arena_array(p->arena, kjit_arg, value.list->count + 1);
    for (size_t i = 0; i < value.list->count; i++)
        if (!as_argument(p, values, value.list->items[i], &items[i]))
            return false;
    *out = kjit_arg_tuple(items, value.list->count);
    return true;
}

kjit_status host_results(Program *p, kjit_values *values)
{
    const HostEnv *globals = p->globals;
    for (size_t i = 0; i < globals->capacity; i++) {
        const HostName *slot = &globals->slots[i];
        kjit_arg arg;
        if (slot->name && slot->bound && as_argument(p, values, slot->value, &arg))
            KJIT_TRY(values_put(values, slot->name, &arg));
    }
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
    if (!slot || !as_argument(p, NULL, slot->value, arg))
        return error_set(KJIT_ARGUMENT, "error: the program holds no value for kernels called '%s'",
                         name ? name : "");
    return KJIT_OK;
}
