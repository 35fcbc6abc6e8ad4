/* Parameters: the variables of their arguments, and what annotations and signatures ask of them. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* The type that an annotation names, or NULL. What is wrong with it is passed over. */
static const Type *annotated_type(FnState *f, const AstExpr *annotation)
{
    Attempt attempt = attempt_begin(f->lower);
    const Type *type = names_type(annotation) ? lower_type(f, annotation) : NULL;
    attempt_void(f->lower, attempt);
    return type;
}

/* Whether an argument is what an annotation says. */
static bool accepts(const Type *wanted, const Type *given)
{
    if (type_is_tuple(wanted) && type_is_tuple(given)) {
        bool fits = wanted->tuple.count == given->tuple.count;
        for (int i = 0; fits && i < wanted->tuple.count; i++)
            fits = accepts(wanted->tuple.items[i], given->tuple.items[i]);
        return fits;
    }
    if (type_is_array(wanted) && type_is_array(given))
        return wanted->array.element == given->array.element &&
               wanted->array.rank == given->array.rank &&
               (wanted->array.layout == LAYOUT_A || wanted->array.layout == given->array.layout);
    return given == wanted;
}

/* A plain tuple takes the names of the namedtuple that its annotation is; NULL for all else. */
static const Type *named_annotation(FnState *f, const AstExpr *annotation, const Type *type)
{
    Symbol *symbol =
        annotation->kind == AST_NAME ? module_symbol(f->module, annotation->name.name) : NULL;
    if (!symbol || symbol->kind != SYMBOL_CONSTANT || !type_is_tuple(type) || type->tuple.names)
        return NULL;
    Operand operand = lower_symbol(f, symbol, annotation->span);
    return operand.kind == OPD_NAMED && operand.named->count == type->tuple.count
               ? type_tuple_named(f->types, type->tuple.items, type->tuple.count,
                                  &operand.named->names)
               : NULL;
}

/* The enumeration of whose members a parameter is given the values: `p: cuda.member(Color)`, for
** generated texts of kernels; NULL for all else. */
static const EnumClass *member_annotation(FnState *f, const AstExpr *annotation)
{
    Attempt attempt = attempt_begin(f->lower);
    if (!annotation || annotation->kind != AST_CALL || annotation->call.args.count != 1)
        return NULL;
    FnState *outside = constant_state(f, f->module);
    Operand callee = lower_expr(outside, annotation->call.function), of = { 0 };
    if (callee.kind == OPD_INTRINSIC && callee.intrinsic == INTR_member)
        of = lower_expr(outside, annotation->call.args.items[0]);
    attempt_void(f->lower, attempt);
    return of.kind == OPD_ENUM ? of.enumeration : NULL;
}

/* A function that is given, with the parameters for what it reads. */
static const Function *given_function(FnState *f, const Function *function, int value_index)
{
    int count = closure_values(function, NULL);
    IrValue **values = arena_array(f->arena, IrValue *, count + 1);
    for (int i = 0; i < count; i++) {
        IrVar *var = f->fn->vars[value_index + i];
        values[i] = ir_var(f->arena, var, var->span);
    }
    return closure_with_values(f, function, values);
}

/* Binds one parameter: to its variable, or to a converted copy where a type was declared. */
static void bind_param(FnState *f, int index, int value_index, Operand arg, const Type *declared)
{
    const AstParam *param = &f->function->ast->params.items[index];
    Name *name = env_name(f, param->name);
    if (arg.kind != OPD_VALUE) {
        Operand *copy = arena_new(f->arena, Operand);
        *copy = arg.kind == OPD_LITERAL ? operand_value(arg.value) : arg;
        if (arg.kind == OPD_FUNCTION)
            copy->function = given_function(f, arg.function, value_index);
        env_bind(f, name, (Binding){ .kind = BIND_OPERAND, .span = param->span, .operand = copy });
        return;
    }
    const Type *type = arg.value->type;
    IrVar *var = f->fn->vars[value_index];
    if (!declared && param->annotation)
        declared = named_annotation(f, param->annotation, type);
    const Type *annotated = param->annotation ? annotated_type(f, param->annotation) : NULL;
    if (annotated && !accepts(annotated, type))
        remark_annotation(f, param, annotated, type);
    const EnumClass *class = member_annotation(f, param->annotation);
    IrValue *value = NULL;
    if (class)
        value = enum_of_value(f, class, ir_var(f->arena, var, param->span), param->span);
    else if (declared && declared != type)
        value = convert(f, ir_var(f->arena, var, param->span), declared, param->span);
    if (value) {
        var = ir_var_new(f->arena, f->fn, param->name, value->type, VAR_LOCAL, param->span);
        emit(f, ir_set(f->arena, var, value, param->span));
    }
    env_bind(f, name, (Binding){ .kind = BIND_VAR, .span = param->span, .var = var });
    meaning_note(f, param->span, operand_value(ir_var(f->arena, var, param->span)), param->span);
}

/* The variables of parameters come before all others. */
static void make_params(FnState *f, const Operand *args, int count)
{
    for (int i = 0; i < count; i++) {
        const AstParam *param = &f->function->ast->params.items[i];
        int own = operand_values(&args[i], NULL);
        IrValue **values = arena_array(f->arena, IrValue *, own + 1);
        operand_values(&args[i], values);
        for (int k = 0; k < own; k++)
            ir_var_new(f->arena, f->fn, param->name, values[k]->type, VAR_PARAM, param->span)
                ->param = f->fn->param_count++;
    }
    captured_params(f);
}

void lower_params(FnState *f, const Operand *args, int count, const Type *const *declared)
{
    make_params(f, args, count);
    for (int i = 0, value = 0; i < count; i++) {
        bind_param(f, i, value, args[i], declared ? declared[i] : NULL);
        value += operand_values(&args[i], NULL);
    }
}
