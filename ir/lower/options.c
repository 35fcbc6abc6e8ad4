/* Options of decorators whose values the text does not show: `debug=LEVEL > 1`. They are constants
** of the module as others are, -D counted in. What cannot be known before the program runs
** (arguments of a command line, a configuration that is read) leaves the option as it is by
** itself, and a remark says so: no option that may be given so changes what a kernel means. */
#include "ir/lower/function.h"

/* A constant as it would be written; NULL: it is none of those that options take. */
static AstExpr *written(FnState *f, const IrValue *value, Span span)
{
    if (value->op == OP_tuple) {
        AstExpr *tuple = ast_new(f->arena, AST_TUPLE, span);
        for (int i = 0; i < value->count; i++) {
            AstExpr *item = written(f, value->operands[i], span);
            if (!item)
                return NULL;
            array_push(f->arena, tuple->list.items.items, tuple->list.items.count,
                       tuple->list.items.capacity) = item;
        }
        return tuple;
    }
    if (!ir_is_constant(value))
        return NULL;
    if (value->type->kind == TY_BOOL)
        return ast_new(f->arena, value->constant.integer ? AST_TRUE : AST_FALSE, span);
    if (!type_is_integer(value->type))
        return NULL;
    int64_t number = value->constant.integer;
    AstExpr *expr = ast_new(f->arena, AST_INT, span);
    expr->integer.value = number < 0 ? -(uint64_t)number : (uint64_t)number;
    if (number >= 0)
        return expr;
    AstExpr *minus = ast_new(f->arena, AST_UNARY, span);
    minus->unary.op = AST_NEG;
    minus->unary.operand = expr;
    return minus;
}

static AstExpr *operand_written(FnState *f, Operand operand, Span span)
{
    if (operand.kind == OPD_NONE)
        return ast_new(f->arena, AST_NONE, span);
    if (operand.kind == OPD_VALUE)
        return written(f, operand.value, span);
    if (operand.kind != OPD_STRING)
        return NULL;
    AstExpr *text = ast_new(f->arena, AST_STRING, span);
    text->string.text = operand.string.text;
    text->string.length = operand.string.length;
    return text;
}

IrOptions options_read(FnState *f, const Function *function)
{
    Function known = *function;
    Lower *lower = f->lower;
    for (int i = 0; i < function->pending_count; i++) {
        AstKeyword keyword = function->pending[i].keyword;
        const AstExpr *given = keyword.value;
        Attempt attempt = attempt_begin(lower);
        Operand value = lower_expr(
            constant_state_at(f, function->pending[i].module, function->pending[i].order), given);
        bool failed = attempt_failed(lower, attempt) || value.kind == OPD_ERROR;
        if (failed)
            attempt_void(lower, attempt);
        AstExpr *shown = failed ? NULL : operand_written(f, value, given->span);
        if (!failed) {
            if (shown)
                keyword.value = shown;
            options_take(f->arena, lower->diags, &known, &keyword);
        } else if (lower->request->remarks) {
            diag_remark(lower->diags, given->span,
                        "what '%s' is only shows when the program runs: it is as if it were not "
                        "said",
                        keyword.name);
        }
    }
    return known.options;
}
