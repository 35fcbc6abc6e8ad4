/* What the optimising passes share: remarks, the parameters that a kernel gets beside its own. */
#include "ir/optimise.h"

#include <stdarg.h>

static bool said(const Diags *diags, Span span, const char *message)
{
    for (size_t i = 0; i < diags->count; i++)
        if (diags->list[i].span.source == span.source && diags->list[i].span.begin == span.begin &&
            strcmp(diags->list[i].message, message) == 0)
            return true;
    return false;
}

void ir_remark(IrUnit *unit, Span span, const char *format, ...)
{
    if (!unit->remarks)
        return;
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(unit->arena, format, args);
    va_end(args);
    if (!said(unit->remarks, span, message))
        diag_remark(unit->remarks, span, "%s", message);
}

/* Makes room for one more parameter behind the others, which are the first variables. */
static void insert_param(IrUnit *unit, IrFunc *fn, IrVar *var)
{
    IrVar **vars = arena_array(unit->arena, IrVar *, fn->var_count + 1);
    int *access = arena_array(unit->arena, int, fn->param_count + 2);
    int at = fn->param_count;
    memcpy(vars, fn->vars, sizeof *vars * (size_t)at);
    vars[at] = var;
    memcpy(vars + at + 1, fn->vars + at, sizeof *vars * (size_t)(fn->var_count - at));
    memcpy(access, fn->access, sizeof *access * (size_t)at);
    fn->vars = vars;
    fn->access = access;
    fn->var_count++;
    fn->var_capacity = fn->var_count;
    fn->param_count++;
    for (int i = at; i < fn->var_count; i++)
        fn->vars[i]->id = i;
}

IrVar *ir_add_param(IrUnit *unit, const char *name, const Type *type)
{
    IrFunc *fn = unit->kernel;
    IrVar *var = arena_new(unit->arena, IrVar);
    *var = (IrVar){ .name = name,
                    .type = type,
                    .kind = VAR_PARAM,
                    .param = fn->param_count,
                    .span = fn->span,
                    .temporary = true };
    insert_param(unit, fn, var);
    return var;
}

static IrVar *new_param(IrUnit *unit, IrHiddenKind kind, int axis)
{
    static const char *const names[] = { [HIDDEN_THREADS] = "threads", [HIDDEN_BLOCKS] = "blocks" };
    const char *name = arena_printf(unit->arena, "_%s_%c", names[kind], "xyz"[axis]);
    IrVar *var = ir_add_param(unit, name, type_int64);
    var->nonnegative = var->uniform = true;
    return var;
}

IrVar *ir_hidden(IrUnit *unit, IrHiddenKind kind, int axis)
{
    IrFunc *fn = unit->kernel;
    int first = fn->param_count - unit->hidden_count;
    for (int i = 0; i < unit->hidden_count; i++)
        if (unit->hidden[i].kind == kind && unit->hidden[i].axis == axis)
            return fn->vars[first + i];
    unit->hidden[unit->hidden_count++] = (IrHidden){ .kind = kind, .axis = axis };
    return new_param(unit, kind, axis);
}

IrVar *ir_map(IrUnit *unit, const IrVar *array, int along, int rows)
{
    const IrHidden map = { HIDDEN_MAP, array->param, along, rows };
    const char *name = arena_printf(unit->arena, "_%s_map", array->name);
    unit->hidden[unit->hidden_count++] = map;
    return ir_add_param(unit, name, type_int64);
}

int ir_array_param(const IrValue *array)
{
    return array->op == OP_var && array->var->kind == VAR_PARAM ? array->var->param : -1;
}

bool ir_only_read(const IrUnit *unit, const IrVar *array)
{
    if (!array || array->kind == VAR_CONSTANT)
        return array != NULL;
    return array->kind == VAR_PARAM && !ir_writes(unit->kernel, array->param) &&
           launch_alone(unit->launch, array->param);
}

bool ir_rows_aligned(IrUnit *unit, const IrVar *array)
{
    const IrValue *length = array->extents ? array->extents[array->type->array.rank - 2] : NULL;
    const IrVar *param = length ? ir_length_param(length) : NULL;
    int elements = type_size(array->type->array.element) < 4 ? 16 : 4;
    if (length && !param && length->constant.integer % elements != 0)
        return false;
    if (param && !launch_multiple(unit->launch, param->param, elements))
        return false;
    return launch_aligned(unit->launch, array->param);
}

int64_t ir_array_bytes(const IrVar *array)
{
    int64_t bytes = (int64_t)type_size(array->type->array.element);
    for (int k = 0; k < array->type->array.rank; k++)
        bytes *= array->shape[k];
    return bytes;
}

int64_t ir_shared_bytes(const IrFunc *fn)
{
    int64_t bytes = 0;
    for (int i = 0; i < fn->var_count; i++)
        bytes += fn->vars[i]->kind == VAR_SHARED ? ir_array_bytes(fn->vars[i]) : 0;
    return bytes;
}
