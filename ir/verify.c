/* Checks what every pass may rely on, most of it read off ops.def:
**
** - operations have as many operands as their row says, and operands and results agree in type;
** - effects that show in order stand alone as the value of an IR_SET or IR_EVAL;
** - a statement's values have the types the statement demands; break and continue stand in loops;
** - variables belong to the function, and no type is type_error. */
#include "ir/ir.h"

#include <setjmp.h>

typedef struct Verifier {
    const IrUnit *unit;
    const IrFunc *fn;
    const char *after;
    const char *volatile *found; /* what is broken */
    jmp_buf *out;                /* where to go on then: what is broken cannot be walked through */
} Verifier;

static void broken(const Verifier *v, Span span, const char *what)
{
    unsigned line = span.source ? source_place(span.source, span.begin).line : 0;
    *v->found = arena_printf(v->unit->arena, "after '%s', in '%s', line %u: %s", v->after,
                             v->fn->name, line, what);
    longjmp(*v->out, 1);
}

static inline void check(const Verifier *v, bool ok, Span span, const char *what)
{
    if (__builtin_expect(!ok, 0))
        broken(v, span, what);
}

static void check_var(const Verifier *v, const IrVar *var, Span span)
{
    check(v, var->id >= 0 && var->id < v->fn->var_count && v->fn->vars[var->id] == var, span,
          "a variable of another function");
    check(v, var->type->kind != TY_ERROR && var->type->kind != TY_NONE, span,
          "a variable without a type");
}

static bool is_index(const Verifier *v, const IrValue *value)
{
    return value->type == type_int64 || value->type == type_uint64 ||
           (value->type == type_int32 && v->unit->narrow);
}

static void check_indices(const Verifier *v, const IrValue *array, IrValue *const *indices,
                          int count, Span span)
{
    check(v, type_is_array(array->type), span, "an index into something else than an array");
    check(v, count == array->type->array.rank, span, "not one index an axis");
    for (int i = 0; i < count; i++)
        check(v, is_index(v, indices[i]), span, "an index that is neither int64 nor uint64");
}

/* What ops.def's row says of operands and result. */
static void check_row(const Verifier *v, const IrValue *value)
{
    const IrOpInfo *info = &ir_ops[value->op];
    check(v, info->operands < 0 || info->operands == value->count, value->span,
          "wrong number of operands");
    if (info->result == RESULT_OWN || info->operands < 1)
        return;
    for (int i = 1; i < value->count; i++)
        check(v, value->operands[i]->type == value->operands[0]->type, value->span,
              "operands of different types");
    const Type *result = info->result == RESULT_BOOL ? type_bool : value->operands[0]->type;
    check(v, value->type == result, value->span, "a result of the wrong type");
}

/* Scalars become scalars; arrays may forget their layout, and that they could be written. */
static bool is_cast(const Type *to, const Type *from)
{
    if (type_is_array(to) && type_is_array(from))
        return to->array.element == from->array.element && to->array.rank == from->array.rank;
    return type_is_scalar(to) && type_is_scalar(from);
}

static void check_call(const Verifier *v, const IrValue *value)
{
    const IrFunc *callee = value->callee;
    check(v, callee->param_count == value->count, value->span, "wrong number of arguments");
    for (int i = 0; i < value->count; i++)
        check(v, callee->vars[i]->type == value->operands[i]->type, value->span,
              "an argument of the wrong type");
    check(v, callee->result == value->type, value->span, "a call with the wrong type");
}

/* wide_load and wide_store: `here` is the private array, `there` the array. */
static void check_wide(const Verifier *v, const IrValue *here, const IrValue *there,
                       IrValue *const *indices, int count)
{
    check_indices(v, there, indices, count, there->span);
    check(v, here->op == OP_var && here->var->kind == VAR_PRIVATE && here->type->array.rank == 1,
          here->span, "a wide access that is not of a private array of one axis");
    check(v, here->var->alignment >= 16, here->span,
          "a wide access of an array too little aligned");
    check(v, here->type->array.element == there->type->array.element, here->span,
          "a wide access of another type");
    size_t bytes = (size_t)here->var->shape[0] * type_size(here->type->array.element);
    check(v, bytes >= 2 && bytes <= 64 && (bytes & (bytes - 1)) == 0, here->span,
          "a wide access of a number of bytes that is no power of two, or too large");
}

static void check_intrinsic(const Verifier *v, const IrValue *value, bool root)
{
    IrValue **at = value->operands;
    check(v, root || !(ir_intrinsics[value->intrinsic].effect & EFFECT_ORDERED), value->span,
          "an effect inside a tree");
    if (value->intrinsic == INTR_wide_load)
        check_wide(v, at[0], at[1], at + 2, value->count - 2);
    else if (value->intrinsic == INTR_wide_store)
        check_wide(v, at[value->count - 1], at[0], at + 1, value->count - 2);
    else if (value->intrinsic == INTR_prefetch)
        check_indices(v, at[0], at + 1, value->count - 2, value->span);
}

static void check_value(const Verifier *v, const IrValue *value, bool root)
{
    Span span = value->span;
    check(v, value->type && value->type->kind != TY_ERROR, span, "a value without a type");
    check_row(v, value);
    for (int i = 0; i < value->count; i++)
        check_value(v, value->operands[i], false);
    switch (value->op) {
    case OP_var:
        check_var(v, value->var, span);
        check(v, value->type == value->var->type, span, "a variable read as another type");
        return;
    case OP_load:
        check_indices(v, value->operands[0], value->operands + 1, value->count - 1, span);
        check(v, value->type == value->operands[0]->type->array.element, span,
              "a load of another type");
        return;
    case OP_select:
        check(v,
              value->operands[0]->type == type_bool && value->operands[1]->type == value->type &&
                  value->operands[2]->type == value->type,
              span, "a select of mixed types");
        return;
    case OP_and_then:
    case OP_or_else:
    case OP_not:
        check(v, value->operands[0]->type == type_bool, span, "logic on something else than bool");
        return;
    case OP_cast:
        check(v, is_cast(value->type, value->operands[0]->type), span,
              "a cast that is neither of scalars nor of an array's layout");
        return;
    case OP_bits:
        check(v, type_size(value->type) == type_size(value->operands[0]->type), span,
              "bits that become more or fewer");
        return;
    case OP_extent:
    case OP_stride:
    case OP_view:
    case OP_field:
    case OP_recast:
    case OP_transpose:
    case OP_data:
        check(v, type_is_array(value->operands[0]->type), span, "an array operation on a scalar");
        return;
    case OP_item:
    case OP_item_at:
        check(v, type_has_items(value->operands[0]->type), span,
              "an item of something not a tuple");
        return;
    case OP_intrinsic:
        check_intrinsic(v, value, root);
        return;
    case OP_call:
        check_call(v, value);
        check(v, root || !(value->callee->effects & EFFECT_ORDERED), span,
              "a call with effects inside a tree");
        return;
    default:
        return;
    }
}

static void check_region(const Verifier *v, const IrRegion *region, int loops);

static void check_typed(const Verifier *v, const IrValue *value, const Type *type, Span span)
{
    check_value(v, value, false);
    check(v, value->type == type, span, "a statement's value has the wrong type");
}

static void check_stmt(const Verifier *v, const IrStmt *stmt, int loops)
{
    Span span = stmt->span;
    switch (stmt->kind) {
    case IR_SET:
        check_var(v, stmt->set.var, span);
        check_value(v, stmt->set.value, true);
        check(v, stmt->set.value->type == stmt->set.var->type, span, "a set of another type");
        return;
    case IR_STORE:
        check_value(v, stmt->store.array, false);
        for (int i = 0; i < stmt->store.count; i++)
            check_value(v, stmt->store.indices[i], false);
        check_indices(v, stmt->store.array, stmt->store.indices, stmt->store.count, span);
        check_typed(v, stmt->store.value, stmt->store.array->type->array.element, span);
        return;
    case IR_EVAL:
        check_value(v, stmt->eval.value, true);
        return;
    case IR_IF:
        check_typed(v, stmt->if_.condition, type_bool, span);
        check_region(v, &stmt->if_.then, loops);
        check_region(v, &stmt->if_.otherwise, loops);
        return;
    case IR_WHILE:
        check_typed(v, stmt->while_.condition, type_bool, span);
        check_region(v, &stmt->while_.body, loops + 1);
        return;
    case IR_FOR:
        check_var(v, stmt->for_.var, span);
        check(v, type_is_integer(stmt->for_.var->type), span, "a counter that is no integer");
        check_typed(v, stmt->for_.start, stmt->for_.var->type, span);
        check_typed(v, stmt->for_.stop, stmt->for_.var->type, span);
        check_typed(v, stmt->for_.step, stmt->for_.var->type, span);
        check_region(v, &stmt->for_.body, loops + 1);
        return;
    case IR_BREAK:
    case IR_CONTINUE:
        check(v, loops > 0, span, "break or continue outside of a loop");
        return;
    case IR_RETURN:
        check(v, !stmt->return_.value == (v->fn->result->kind == TY_NONE), span,
              "a return that does not fit the function");
        if (stmt->return_.value)
            check_typed(v, stmt->return_.value, v->fn->result, span);
        return;
    case IR_PRINT:
        for (int i = 0; i < stmt->print.count; i++)
            if (stmt->print.items[i].value)
                check_value(v, stmt->print.items[i].value, false);
        return;
    case IR_FAULT:
        for (int i = 0; i < stmt->fault.count; i++) {
            const Type *type = stmt->fault.values[i]->type;
            check_value(v, stmt->fault.values[i], false);
            check(v, type == type_int64 || type == type_uint64 || type == type_float64, span,
                  "a report of a value that is not 64 bits wide");
        }
        return;
    case IR_STOP:
        return;
    }
}

static void check_region(const Verifier *v, const IrRegion *region, int loops)
{
    const IrStmt *before = NULL;
    for (const IrStmt *stmt = region->first; stmt; before = stmt, stmt = stmt->next) {
        check(v, stmt->prev == before, stmt->span, "a region whose links disagree");
        check_stmt(v, stmt, loops);
    }
    check(v, region->last == before, before ? before->span : v->fn->span,
          "a region whose end is not its last statement");
}

static void check_function(const Verifier *v)
{
    const IrFunc *fn = v->fn;
    for (int i = 0; i < fn->param_count; i++)
        check(v, fn->vars[i]->kind == VAR_PARAM && fn->vars[i]->param == i, fn->span,
              "parameters do not come first");
    check_region(v, &fn->body, 0);
}

const char *ir_verify(const IrUnit *unit, const char *after)
{
    const char *volatile found = NULL;
    jmp_buf out;
    if (setjmp(out))
        return found;
    for (int i = 0; i <= unit->count; i++) {
        const IrFunc *fn = i < unit->count ? unit->functions[i] : unit->kernel;
        check_function(&(Verifier){ unit, fn, after, &found, &out });
    }
    return NULL;
}
