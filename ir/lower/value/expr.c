/* Expressions: the leaves, and which file has the others. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* ---- leaves ---------------------------------------------------------------------------------- */

static Operand poison(FnState *f, Span span)
{
    return operand_value(lower_poison(f, span));
}

static Operand unknown_name(FnState *f, const AstExpr *expr)
{
    const char *name = expr->name.name, *refusal = builtin_refusal(f->arena, name);
    int count = 0;
    if (refusal)
        return fail_operand(f, expr->span, "kernels cannot use '%s': %s", name, refusal);
    const char **known = module_names(f->module, f->arena, &count);
    const char **all = arena_array(f->arena, const char *, (size_t)count + f->names.capacity + 1);
    size_t total = 0;
    for (int i = 0; i < count; i++)
        all[total++] = known[i];
    for (size_t i = 0; i < f->names.capacity; i++)
        if (f->names.slots[i].name && ((Name *)f->names.slots[i].value)->binding.kind != BIND_NONE)
            all[total++] = f->names.slots[i].name;
    const char *near = diag_nearest(name, all, total);
    if (!near)
        near = builtin_nearest(f->arena, name);
    const char *of_math = arena_printf(f->arena, "math.%s", name);
    if (builtin_find(f->arena, of_math, expr->span).kind != OPD_ERROR)
        near = of_math;
    if (f->function && names_assigned(&f->function->ast->body, name)) {
        fail(f, expr->span, "'%s' is read before it is assigned", name);
        note_outer_name(f, name);
        return operand_error(expr->span);
    }
    const Symbol *star = module_lost_star(f->module);
    fail(f, expr->span, "'%s' is not defined%s%s%s", name, near ? "; did you mean '" : "",
         near ? near : "", near ? "'?" : "");
    if (star)
        diag_note(f->lower->diags, star->span, "all that is imported here %s",
                  star->unknown.reason);
    return operand_error(expr->span);
}

/* A name of the function that has made this one, when it was run for a constant; false: none. */
static bool lower_left(FnState *f, const AstExpr *expr, Operand *out)
{
    const FnState *run = f->function ? f->function->run : NULL;
    const Name *name = run ? table_get(&run->names, expr->name.name) : NULL;
    name = name ? name_origin(name) : NULL;
    if (!name || name->binding.kind != BIND_OPERAND)
        return false;
    Operand *left = name->binding.operand;
    if (left->kind == OPD_VALUE) {
        left->value = lower_table_settle(f, left->value, name->name);
        if (!constant_is_known(left->value)) {
            fail(f, expr->span, "'%s' is not a constant that kjit can evaluate", name->name);
            *out = poison(f, expr->span);
            return true;
        }
    }
    *out = *left;
    out->span = expr->span;
    if (out->kind == OPD_VALUE)
        out->value = lower_table_in_function(f, out->value);
    return true;
}

static Operand lower_name(FnState *f, const AstExpr *expr)
{
    const char *text = expr->name.name;
    Name *name = table_get(&f->names, text);
    if (name && name->binding.kind == BIND_OPERAND) {
        Operand operand = *name->binding.operand;
        operand.span = expr->span;
        return operand;
    }
    if (name && name->binding.kind != BIND_NONE) {
        IrVar *var = env_settle(f, name, expr->span);
        if (name->binding.kind == BIND_OPERAND)
            return *name->binding.operand;
        if (var && var->type->kind == TY_NONE)
            return (Operand){ .kind = OPD_NONE, .span = expr->span };
        env_check_set(f, name, expr->span);
        return var ? operand_value(ir_var(f->arena, var, expr->span)) : poison(f, expr->span);
    }
    if (f->running && names_assigned(&f->running->ast->body, text))
        return fail_operand(f, expr->span,
                            "'%s' has no value here: '%s' assigns it on another path", text,
                            f->running->name);
    Operand left;
    if (lower_left(f, expr, &left))
        return left;
    Symbol *symbol = lower_lookup(f, text);
    if (symbol && f->function && names_assigned(&f->function->ast->body, text))
        return unknown_name(f, expr);
    if (symbol && names_changing(f, text))
        return fail_operand(f, expr->span, "'%s' changes while this is run for a constant", text);
    if (symbol)
        return lower_builtin(f, lower_symbol(f, symbol, expr->span));
    Operand builtin = builtin_find_bare(f->arena, text, expr->span);
    if (builtin.kind == OPD_ERROR)
        builtin = library_find(f, arena_printf(f->arena, "cuda.%s", text), expr->span);
    if (builtin.kind == OPD_ERROR)
        builtin = library_find(f, arena_printf(f->arena, "python.%s", text), expr->span);
    const char *space;
    for (int i = 0; builtin.kind == OPD_ERROR && (space = module_starred_space(f->module, i)); i++)
        builtin = library_find(f, arena_printf(f->arena, "%s.%s", space, text), expr->span);
    return builtin.kind != OPD_ERROR ? lower_builtin(f, builtin) : unknown_name(f, expr);
}

static Operand lower_integer(FnState *f, const AstExpr *expr)
{
    if (expr->integer.too_big)
        return operand_value(fail_value(f, expr->span, "this number does not fit 64 bits"));
    const Type *type = expr->integer.value > INT64_MAX ? type_uint64 : type_int64;
    IrValue *value = ir_integer(f->arena, type, (int64_t)expr->integer.value, expr->span);
    value->weak = true;
    return operand_value(value);
}

static Operand lower_float(FnState *f, const AstExpr *expr)
{
    IrValue *value = ir_number(f->arena, type_float64, expr->number.value, expr->span);
    value->weak = true;
    return operand_value(value);
}

static Operand lower_imaginary(FnState *f, const AstExpr *expr)
{
    IrValue *value = ir_value(f->arena, OP_constant, type_of(COMPLEX128), expr->span, 0);
    value->constant.complex.imag = expr->number.value;
    value->weak = true;
    return operand_value(value);
}

static Operand lower_tuple(FnState *f, const AstExpr *expr)
{
    int count = expr->list.items.count;
    Operand *items = arena_array(f->arena, Operand, count + 1);
    lower_list(f, expr->list.items.items, count, items);
    const Type **types = arena_array(f->arena, const Type *, count + 1);
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_error, expr->span, count);
    bool whole = true;
    for (int i = 0; i < count; i++) {
        tuple->operands[i] = optional_item(f, items[i], expr->list.items.items[i]);
        types[i] = tuple->operands[i]->type;
        whole &= types[i]->kind != TY_ERROR;
    }
    if (!whole)
        return poison(f, expr->span);
    tuple->type = type_tuple(f->types, types, count);
    return operand_value(tuple);
}

/* A list is a tuple of one type: kernels have no heap, so that it never changes. */
static Operand lower_list_display(FnState *f, const AstExpr *expr)
{
    if (f->constant_only) { /* which is never assigned */
        int count = expr->list.items.count;
        Operand *items = arena_array(f->arena, Operand, count + 1);
        lower_list(f, expr->list.items.items, count, items);
        for (int i = 0; i < count; i++)
            if (items[i].kind == OPD_ERROR)
                return items[i];
        return tuple_of_operands(f, items, count, expr->span);
    }
    IrValue *tuple = lower_tuple(f, expr).value;
    if (is_poison(tuple) || tuple->count == 0)
        return operand_value(tuple);
    const Type *type = tuple->operands[0]->type, **types;
    for (int i = 1; type && i < tuple->count; i++)
        type = typing_unify(f->types, type, tuple->operands[i]->type);
    if (!type)
        return operand_value(fail_value(f, expr->span,
                                        "the items of a list are of one type, and these are %s",
                                        type_name(f->arena, tuple->type)));
    types = arena_array(f->arena, const Type *, tuple->count);
    for (int i = 0; i < tuple->count; i++)
        types[i] = type;
    return operand_value(convert(f, tuple, type_tuple(f->types, types, tuple->count), expr->span));
}

/* ---- slices, walrus -------------------------------------------------------------------------- */

/* One that may be None when the kernel runs stays optional. */
static IrValue *slice_bound(FnState *f, const AstExpr *expr)
{
    if (!expr)
        return NULL;
    Operand operand = lower_maybe(f, expr);
    if (operand.kind == OPD_NONE)
        return NULL;
    IrValue *value = plain_value(f, operand_as_value_maybe(f, operand, expr));
    if (is_poison(value))
        return value;
    bool optional = type_is_optional(value->type);
    if (!type_is_integer(optional ? type_optional_value(value->type) : value->type))
        return fail_value(f, expr->span, "a slice is bounded by integers, and this is %s",
                          describe(f, operand));
    const Type *type = optional ? type_optional(f->types, type_int64) : type_int64;
    return lower_stable(f, convert(f, value, type, expr->span), "_bound");
}

static Operand lower_slice(FnState *f, const AstExpr *expr)
{
    Operand slice = { .kind = OPD_SLICE, .span = expr->span };
    slice.slice.start = slice_bound(f, expr->slice.start);
    slice.slice.stop = slice_bound(f, expr->slice.stop);
    slice.slice.step = slice_bound(f, expr->slice.step);
    if (slice.slice.step)
        slice.slice.step = optional_unwrap(f, operand_value(slice.slice.step)).value;
    return slice;
}

static Operand lower_walrus(FnState *f, const AstExpr *expr)
{
    if (f->running)
        return fail_operand(f, expr->span,
                            "a function that is run for a constant has no ':=': assign '%s' before",
                            expr->walrus.name);
    Operand value = lower_maybe(f, expr->walrus.value);
    if (f->constant_only) /* the name is the module's, bound by resolve_walrus() */
        return value;
    if (value.kind != OPD_VALUE) {
        lower_bind(f, expr->walrus.name, value, expr->walrus.name_span);
        return value;
    }
    IrVar *var = lower_set(f, expr->walrus.name, value.value, expr->walrus.name_span);
    return operand_value(ir_var(f->arena, var, expr->span));
}

/* ---- all of them ----------------------------------------------------------------------------- */

static Operand lower_binary_expr(FnState *f, const AstExpr *expr)
{
    IrValue *operands[2], *written = lower_written(f, expr);
    if (written)
        return operand_value(written);
    if (expr->binary.op == AST_MATMUL && f->constant_only) {
        Operand pair[] = { lower_expr(f, expr->binary.left), lower_expr(f, expr->binary.right) };
        bool fine = pair[0].kind != OPD_ERROR && pair[1].kind != OPD_ERROR;
        return fine ? lower_apply(f, expr, library_find_array(f, "np.matmul", expr->span), pair, 2)
                    : operand_error(expr->span);
    }
    if (expr->binary.op == AST_MATMUL)
        return operand_value(fail_value(f, expr->binary.op_span,
                                        "'@' multiplies whole matrices; kernels work on elements"));
    AstExpr *const exprs[] = { expr->binary.left, expr->binary.right };
    Operand pair[2], text;
    lower_list(f, exprs, 2, pair);
    bool texts = expr->binary.op == AST_ADD && pair[0].kind == OPD_STRING &&
                 pair[1].kind == OPD_STRING && !pair[0].string.bytes && !pair[1].string.bytes;
    if ((f->constant_only || texts) &&
        lower_text_operator(f, expr->binary.op, &pair[0], &pair[1], expr->span, &text))
        return text;
    for (int i = 0; i < 2; i++)
        operands[i] = operand_as_value(f, pair[i], exprs[i]);
    return operand_value(lower_binary(f, expr->binary.op, operands[0], operands[1], expr->span));
}

/* An attribute that is not called: methods are nothing by themselves. */
static Operand lower_plain_attribute(FnState *f, const AstExpr *expr)
{
    Operand operand = lower_attribute(f, expr);
    if (operand.kind != OPD_METHOD)
        return operand;
    if (is_of_records(operand.method.object)) {
        lower_no_field(f, operand.method.object, operand.method.name, expr->attribute.name_span);
        return operand_error(expr->span);
    }
    if (is_method(f, operand.method.object, operand.method.name, expr->span))
        return fail_operand(f, expr->span, "'%s' is a method; write '()' behind it to call it",
                            operand.method.name);
    return fail_operand(f, expr->attribute.name_span,
                        "%s has no attribute '%s' that kernels can use%s",
                        describe(f, operand_value(operand.method.object)), operand.method.name,
                        attribute_advice(f, operand.method.object, operand.method.name));
}

Operand lower_string(FnState *f, const AstExpr *expr)
{
    if (expr->string.unnamed)
        return fail_operand(f, expr->span,
                            "kjit knows no characters by their names; write \\u and the number");
    Operand text = operand_text(f->arena, expr->string.text, expr->string.length, expr->span);
    text.string.bytes = expr->kind == AST_BYTES;
    if (text.string.bytes)
        text.string.characters = (int64_t)text.string.length;
    return text;
}

static Operand lower_kind(FnState *f, const AstExpr *expr)
{
    Span span = expr->span;
    switch (expr->kind) {
    case AST_NAME:
        return meaning_of_name(f, expr, lower_name(f, expr));
    case AST_INT:
        return lower_integer(f, expr);
    case AST_FLOAT:
        return lower_float(f, expr);
    case AST_IMAG:
        return lower_imaginary(f, expr);
    case AST_STRING:
        return lower_string(f, expr);
    case AST_TRUE:
    case AST_FALSE:
        return operand_value(ir_integer(f->arena, type_bool, expr->kind == AST_TRUE, span));
    case AST_NONE:
        return (Operand){ .kind = OPD_NONE, .span = span };
    case AST_ELLIPSIS:
        return (Operand){ .kind = OPD_ELLIPSIS, .span = span };
    case AST_TUPLE:
        return lower_tuple(f, expr);
    case AST_UNARY:
        return lower_unary(f, expr);
    case AST_BINARY:
        return lower_binary_expr(f, expr);
    case AST_BOOLEAN:
        return lower_boolean(f, expr);
    case AST_COMPARE:
        return lower_compare(f, expr);
    case AST_IF_EXPR:
        return lower_if_expr(f, expr);
    case AST_CALL:
        return lower_call(f, expr);
    case AST_ATTRIBUTE:
        return lower_plain_attribute(f, expr);
    case AST_INDEX:
        return lower_index(f, expr);
    case AST_SLICE:
        return lower_slice(f, expr);
    case AST_WALRUS:
        return lower_walrus(f, expr);
    case AST_LAMBDA:
        return lower_lambda(f, expr);
    case AST_LIST:
        return lower_list_display(f, expr);
    case AST_STARRED:
        return fail_operand(f, span, "'*' cannot be used here");
    case AST_DICT:
        return f->constant_only ? bundle_of_dict(f, expr) : lower_refused_expr(f, expr);
    case AST_COMPREHENSION:
        return f->constant_only ? lower_comprehension(f, expr) : lower_refused_expr(f, expr);
    case AST_FSTRING:
        return f->constant_only ? lower_fstring(f, expr) : lower_refused_expr(f, expr);
    case AST_SET:
        return f->constant_only ? lower_set_display(f, expr) : lower_refused_expr(f, expr);
    case AST_BYTES:
        return f->constant_only ? lower_refused_expr(f, expr) : lower_string(f, expr);
    case AST_FIELD:
    case AST_YIELD:
    case AST_AWAIT:
        return lower_refused_expr(f, expr);
    case AST_EXPR_KINDS:
        break;
    }
    return operand_error(span);
}

/* Tuples of tuples double with each level: that is a mistake. */
static bool is_enormous(FnState *f, Operand operand)
{
    enum { MOST = 4096 };
    bool enormous = operand.kind == OPD_VALUE && operand.value->type->leaves > MOST;
    if (enormous)
        fail(f, operand.span,
             "this tuple has more than %d items, those of its items counted; put them in an array",
             MOST);
    return enormous;
}

Operand lower_maybe(FnState *f, const AstExpr *expr)
{
    Operand operand = lower_kind(f, expr);
    if (is_enormous(f, operand))
        return operand_error(expr->span);
    bool none = operand.kind == OPD_VALUE && type_is_optional(operand.value->type) &&
                operand_is_none(operand); /* as an item of a tuple */
    return none ? (Operand){ .kind = OPD_NONE, .span = expr->span } : thing_operand(f, operand);
}

Operand lower_expr(FnState *f, const AstExpr *expr)
{
    return optional_unwrap(f, lower_maybe(f, expr));
}
