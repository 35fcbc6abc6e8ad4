/* Values as what they are to be: integers, shapes, conditions; and what a module's names are. */
#include "runtime/values/values.h"

bool value_integer(Eval *eval, const Value *value, int64_t *integer)
{
    bool scalar = value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_SCALAR;

    if (!scalar || dtype_is_float(value->arg.dtype) || dtype_is_complex(value->arg.dtype))
        return diag_error(eval->diags, value->span, "an integer is needed here");
    *integer = value->arg.as.integer;
    return true;
}

bool value_shape(Eval *eval, const Value *value, int64_t shape[KJIT_RANK_MAX], int *rank)
{
    bool tuple = value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_TUPLE;
    size_t count = tuple ? value->arg.as.tuple.count : 1;

    if (count > KJIT_RANK_MAX)
        return diag_error(eval->diags, value->span, "an array has %d axes at the most",
                          KJIT_RANK_MAX);
    for (size_t i = 0; i < count; i++) {
        Value item = *value;
        if (tuple)
            item.arg = value->arg.as.tuple.items[i];
        if (!value_integer(eval, &item, &shape[i]))
            return false;
        if (shape[i] < 0)
            return diag_error(eval->diags, value->span, "an array cannot have %lld elements",
                              (long long)shape[i]);
    }
    *rank = (int)count;
    return true;
}

bool value_truth(Eval *eval, Span span, const Value *value, bool *truth)
{
    const kjit_arg *arg = &value->arg;
    bool scalar = value->kind == VALUE_ARG && arg->kind == KJIT_ARG_SCALAR;

    if (value->kind == VALUE_NONE) {
        *truth = false;
    } else if (value->kind == VALUE_STRING) {
        *truth = *value->text != '\0';
    } else if (scalar && dtype_is_float(arg->dtype)) {
        *truth = arg->as.number != 0;
    } else if (scalar && !dtype_is_complex(arg->dtype)) {
        *truth = arg->as.integer != 0;
    } else {
        return diag_error(eval->diags, span, "a condition is a number, True or False");
    }
    return true;
}

/* ---- names ---------------------------------------------------------------------------- */

/* The last assignment to `name` at a module's top level. */
static const AstExpr *assigned(const AstModule *ast, const char *name)
{
    const AstExpr *found = NULL;

    for (int i = 0; ast && i < ast->body.count; i++) {
        const AstStmt *stmt = ast->body.items[i];
        if (stmt->kind == AST_ASSIGN) {
            for (int t = 0; t < stmt->assign.targets.count; t++) {
                const AstExpr *target = stmt->assign.targets.items[t];
                if (target->kind == AST_NAME && strcmp(target->name.name, name) == 0)
                    found = stmt->assign.value;
            }
        } else if (stmt->kind == AST_ANN_ASSIGN && stmt->ann_assign.value &&
                   stmt->ann_assign.target->kind == AST_NAME &&
                   strcmp(stmt->ann_assign.target->name.name, name) == 0) {
            found = stmt->ann_assign.value;
        }
    }
    return found;
}

/* What a module means by `name`: -D first, then its own text, then what it imports. */
static const AstExpr *module_constant(const kjit_module *module, const char *name)
{
    const AstExpr *found = NULL;

    for (int i = module->define_count; i-- > 0;) {
        if (define_names(module->defines[i].name, name))
            return module->defines[i].value;
    }
    found = assigned(module->main->ast, name);
    for (const ModulePart *part = module->parts; part && !found; part = part->next)
        found = assigned(part->ast, name);
    return found;
}

const AstExpr *value_constant(const Eval *eval, const char *name)
{
    return eval->module ? module_constant(eval->module, name) : NULL;
}
