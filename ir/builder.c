#include "ir/builder.h"

#include "ir/clone.h"

IrValue *build_var(const IrBuilder *b, const IrVar *var)
{
    return ir_var(b->arena, (IrVar *)var, b->span);
}

IrValue *build_integer(const IrBuilder *b, const Type *type, int64_t value)
{
    return ir_integer(b->arena, type, value, b->span);
}

IrValue *build_int(const IrBuilder *b, int64_t value)
{
    return build_integer(b, type_int64, value);
}

IrValue *(build_op)(const IrBuilder *b, IrOp op, IrValue *left, IrValue *right)
{
    return ir_binary(b->arena, op, left, right, b->span);
}

IrValue *(build_plus)(const IrBuilder *b, IrValue *value, int64_t number)
{
    return number ? build_op(b, OP_add, value, build_int(b, number)) : value;
}

IrValue *(build_times)(const IrBuilder *b, IrValue *value, int64_t number)
{
    return build_op(b, OP_mul, value, build_int(b, number));
}

IrValue *(build_min)(const IrBuilder *b, IrValue *left, IrValue *right)
{
    return ir_min(b->arena, left, right, b->span);
}

IrValue *(build_max)(const IrBuilder *b, IrValue *left, IrValue *right)
{
    return ir_max(b->arena, left, right, b->span);
}

IrValue *(build_cast)(const IrBuilder *b, const Type *type, IrValue *value)
{
    return ir_cast(b->arena, type, value, b->span);
}

void(build_call)(const IrBuilder *b, IrIntrinsic intrinsic, IrValue *operand, IrRegion *out)
{
    IrValue *value = ir_intrinsic(b->arena, intrinsic, type_none, b->span, operand, NULL, NULL);

    ir_append(out, ir_eval(b->arena, value, b->span));
}

IrValue *build_copy(const IrBuilder *b, const IrValue *value)
{
    return ir_copy_value(b->arena, value);
}

IrValue *build_thread_index(const IrBuilder *b, int axis)
{
    return build_cast(b, type_int64, ir_axis(b->arena, INTR_thread_idx, axis, b->span));
}

IrValue *(build_load)(const IrBuilder *b, const IrVar *array, IrValue *row, IrValue *column)
{
    return ir_load(b->arena, build_var(b, array), (IrValue *[]){ row, column }, column ? 2 : 1,
                   b->span);
}

IrVar *build_temporary(const IrBuilder *b, const char *name, const Type *type)
{
    return ir_temporary(b->arena, b->fn, name, type, b->span);
}

IrVar *build_counter(const IrBuilder *b, const char *name)
{
    return ir_counter(b->arena, b->fn, name, b->span);
}

IrVar *build_own(const IrBuilder *b, const IrVar *var)
{
    IrVar *own = ir_var_like(b->arena, b->fn, var, var->name);
    own->temporary = true;
    own->span = b->span;
    return own;
}

void build_own_vars(const IrBuilder *b, int count, IrUses part, IrUses all, IrVar **vars)
{
    for (int i = 0; i < count; i++)
        if (part.sets[i] && part.sets[i] == all.sets[i] && part.reads[i] == all.reads[i] &&
            !type_is_array(b->fn->vars[i]->type))
            vars[i] = build_own(b, b->fn->vars[i]);
}

void(build_set)(const IrBuilder *b, IrVar *var, IrValue *value, IrRegion *out)
{
    ir_append(out, ir_set(b->arena, var, value, b->span));
}

void(build_store)(const IrBuilder *b, const IrVar *array, IrValue *row, IrValue *column,
                  IrValue *value, IrRegion *out)
{
    ir_append(out, ir_store(b->arena, build_var(b, array), (IrValue *[]){ row, column },
                            column ? 2 : 1, value, b->span));
}

IrVar *(build_let)(const IrBuilder *b, const char *name, IrValue *value, IrRegion *out)
{
    IrVar *var = build_counter(b, name);
    build_set(b, var, value, out);
    return var;
}

IrRegion *(build_if)(const IrBuilder *b, IrValue *condition, IrRegion *out)
{
    IrStmt *branch = ir_if(b->arena, condition, b->span);
    ir_append(out, branch);
    return &branch->if_.then;
}

IrStmt *(build_for)(const IrBuilder *b, IrVar *var, IrValue *start, IrValue *stop, int64_t step,
                    int unroll)
{
    IrStmt *loop = ir_for(b->arena, var, start, stop, build_integer(b, var->type, step), b->span);
    loop->for_.unroll = unroll;
    return loop;
}
