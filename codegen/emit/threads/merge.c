/* Arrays of few elements of which each worker has a copy, to which its atomics go
** (ir/schedule/privatise/merge.c): the copies' beginning and end, in the entry. They lie on the
** worker's stack; an element that is as it began is not merged. */
#include "codegen/emit/threads/threads.h"

/* The value that changes nothing. */
static const char *neutral_text(Emitter *e, const IrVar *param)
{
    const Type *type = param->type->array.element;
    int bits = 8 * (int)type_size(type);
    bool maximum = param->merged == COMBINE_MAX;
    IrConstant constant = { .integer = 0 };
    if (param->merged == COMBINE_AND)
        return "-1";
    if (param->merged != COMBINE_MAX && param->merged != COMBINE_MIN)
        return type_is_float(type) ? "-0.0" : "0"; /* 0 would change the sign of -0 */
    if (type_is_float(type))
        return maximum ? "-INFINITY" : "INFINITY";
    uint64_t least = type_is_signed(type) ? UINT64_C(1) << (bits - 1) : 0;
    uint64_t value = maximum ? least : least - 1;
    constant.integer = bits == 64             ? (int64_t)value
                       : type_is_signed(type) ? (int64_t)(int32_t)(uint32_t)value
                                              : (int64_t)(uint32_t)value;
    return constant_text(e, type, constant, PREC_ARGUMENT, true);
}

static const char *atomic_of(Combine combine)
{
    static const char *const names[] = {
        [COMBINE_SUM] = "atomic_add", [COMBINE_MAX] = "atomic_max", [COMBINE_MIN] = "atomic_min",
        [COMBINE_AND] = "atomic_and", [COMBINE_OR] = "atomic_or",   [COMBINE_XOR] = "atomic_xor",
    };
    return names[combine];
}

int values_of(const IrVar *param)
{
    if (!type_is_array(param->type))
        return 1;
    return 1 + ir_given_axes(param) * (param->type->array.layout == LAYOUT_A ? 2 : 1);
}

const char *elements_text(Emitter *e, const IrVar *param, int first)
{
    const char *text = "1";
    for (int i = 0; i < ir_given_axes(param); i++)
        text = arena_printf(e->arena, "%s%s*(long long const *)params[%d]", i ? text : "",
                            i ? " * " : "", first + 1 + i);
    return text;
}

const char *merge_name(const Threads *th, const IrVar *param)
{
    return arena_printf(th->e->arena, "own_%d", param->param);
}

void merge_begin(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0, first = 0; i < th->fn->param_count; first += values_of(th->fn->vars[i++])) {
        const IrVar *param = th->fn->vars[i];
        if (!param->merged)
            continue;
        const char *name = merge_name(th, param);
        line(e, "_Alignas(64) %s %s[%d];", type_text(e, param->type->array.element), name,
             ELEMENTS_4096);
        line(e, "const long long %s_count = %s;", name, elements_text(e, param, first));
        line(e, "for (long long i = 0; i < %s_count; i++)", name);
        line(e, "    %s[i] = %s;", name, neutral_text(e, param));
    }
}

void merge_end(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0, first = 0; i < th->fn->param_count; first += values_of(th->fn->vars[i++])) {
        const IrVar *param = th->fn->vars[i];
        if (!param->merged)
            continue;
        const Type *element = param->type->array.element;
        const char *name = merge_name(th, param);
        line(e, "for (long long i = 0; i < %s_count; i++)", name);
        if (!type_is_float(element) || param->merged != COMBINE_SUM)
            line(e, "    if (%s[i] != (%s)%s)", name, type_text(e, element),
                 neutral_text(e, param));
        line(e, "        %s(&(*(%s *const *)params[%d])[i], %s[i]);",
             prelude(e, atomic_of(param->merged), element), type_text(e, element), first, name);
    }
}
