/* Remarks: where numba's typing silently makes 64-bit numbers of narrower ones, which on a GPU
** costs twice to 64 times as much. Only collected on request. A remark for each place and
** reason; arithmetic on nothing but a thread's index in the grid is left out, as it makes
** indices. */
#include "ir/lower/function.h"

static bool wanted(const FnState *f)
{
    return f->lower->request->remarks && !f->constant_only &&
           !library_is_namespace(f->lower, f->module);
}

static void remark(FnState *f, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void remark(FnState *f, Span span, const char *format, ...)
{
    Diags *diags = f->lower->diags;
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(f->arena, format, args);
    va_end(args);
    diag_remark(diags, span, "%s", message);
}

/* ---- what counts ----------------------------------------------------------------------------- */

static bool is_narrow_inexact(const Type *type)
{
    return type->kind == TY_COMPLEX64 || (type_is_float(type) && type_size(type) < 8);
}

static bool is_wide_inexact(const Type *type)
{
    return type->kind == TY_FLOAT64 || type->kind == TY_COMPLEX128;
}

static bool is_narrow_integer(const Type *type)
{
    return type_is_integer(type) && type_size(type) < 8;
}

static void find_other(void *context, IrValue *value)
{
    bool geometry = value->op == OP_intrinsic &&
                    (value->intrinsic <= INTR_gridsize || value->intrinsic == INTR_laneid);
    bool plain = value->op == OP_constant || value->op == OP_cast || value->op == OP_add ||
                 value->op == OP_sub || value->op == OP_mul || value->op == OP_mod ||
                 value->op == OP_floordiv;
    if (!geometry && !plain)
        *(bool *)context = true;
}

/* Whether a value is made of a thread's index in the grid and of constants alone. */
static bool is_thread_index(const IrValue *value)
{
    bool other = false;
    ir_each_node((IrValue *)value, find_other, &other);
    return !other;
}

/* ---- operations ----------------------------------------------------------------------------- */

/* Whether a function of mathematics makes a float64 of integers alone. */
static bool is_of_integers(const IrValue *value)
{
    if (value->op != OP_intrinsic || value->count == 0)
        return false;
    for (int i = 0; i < value->count; i++) {
        const IrValue *operand = value->operands[i];
        if (operand->op != OP_cast || !type_is_integer(operand->operands[0]->type))
            return false;
    }
    return true;
}

/* A float32 beside something that makes it a float64, which the text does not say. */
static void remark_float(FnState *f, const IrValue *narrow, const IrValue *other,
                         const Type *result)
{
    const char *from = type_name(f->arena, narrow->type), *to = type_name(f->arena, result);
    const char *its = type_name(f->arena, other->type);
    bool integer = !other->weak && type_is_integer(other->type);

    if (other->weak) {
        remark(f, other->span,
               "%s becomes %s here, since this literal is %s; write %s(...) around it%s", from, to,
               its, from, is_nep50(f) ? "" : ", or typing=\"nep50\" in the decorator");
    } else if (integer || is_of_integers(other)) {
        if (integer)
            f->narrow = narrow; /* it may be what makes a name of a loop wide */
        remark(f, other->span, "%s becomes %s here, since this is %s; write %s(...) around it",
               from, to, its, from);
    } else if (other->op == OP_var && other->var->began.source) {
        remark(f, other->span, "%s becomes %s here, since '%s' is %s; begin with %s(...)", from, to,
               other->var->name, its, from);
        diag_note(f->lower->diags, other->var->began, "'%s' begins with this literal",
                  other->var->name);
    }
}

/* One of two numbers is narrow and inexact, and what is made of them is wide. */
static bool remark_floats(FnState *f, const IrValue *left, const IrValue *right, const Type *result)
{
    bool is_left = is_narrow_inexact(left->type);
    if (is_left == is_narrow_inexact(right->type))
        return false;
    const IrValue *narrow = is_left ? left : right, *other = is_left ? right : left;
    remark_float(f, narrow, other, result);
    return true;
}

void remark_meeting(FnState *f, const IrValue *a, const IrValue *b, const Type *result)
{
    if (wanted(f) && is_wide_inexact(result))
        remark_floats(f, a, b, result);
}

void remark_binary(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                   const Type *result, Span span)
{
    if (!wanted(f))
        return;
    if (is_wide_inexact(result)) {
        if (!remark_floats(f, left, right, result) && op == AST_DIV &&
            is_narrow_integer(left->type) && is_narrow_integer(right->type))
            remark(f, span, "%s / %s is %s; write float32(...) around one of them if that will do",
                   type_name(f->arena, left->type), type_name(f->arena, right->type),
                   type_name(f->arena, result));
        return;
    }
    bool integers = (is_narrow_integer(left->type) || left->weak) &&
                    (is_narrow_integer(right->type) || right->weak);
    if (!integers || type_size(result) < 8 || (left->weak && right->weak) ||
        is_thread_index(left) || is_thread_index(right))
        return;
    const IrValue *narrow = left->weak ? right : left;
    remark(f, span,
           "%s becomes %s here: integers are computed in 64 bits; write %s(...) around "
           "the result where that will do",
           type_name(f->arena, narrow->type), type_name(f->arena, result),
           type_name(f->arena, narrow->type));
}

void remark_assumed(FnState *f, const Function *function)
{
    if (wanted(f) && function->assumed)
        remark(f, function->assumed->span,
               "the module of this decorator is not there: '%s' is taken as it stands",
               function->name);
}

void remark_truncated(FnState *f, const IrValue *value, Span span)
{
    if (wanted(f))
        remark(f, span, "this %s is truncated: range counts in integers; int(...) says so",
               type_name(f->arena, value->type));
}

/* ---- functions ------------------------------------------------------------------------------ */

void remark_annotation(FnState *f, const AstParam *param, const Type *said, const Type *given)
{
    if (wanted(f))
        remark(f, param->annotation->span, "'%s' is annotated as %s, and the call gives %s",
               param->name, type_name(f->arena, said), type_name(f->arena, given));
}

void remarks_take(Lower *lower, Specialisation *s, size_t mark)
{
    Diags *diags = lower->diags;
    if (!lower->request->remarks || s->failed)
        return;
    s->remark_count = (int)(diags->count - mark);
    s->remarks = arena_array(lower->arena, Diag, s->remark_count + 1);
    if (s->remark_count)
        memcpy(s->remarks, diags->list + mark, (size_t)s->remark_count * sizeof(Diag));
    diags_truncate(diags, mark);
}

static void give(Diags *diags, const Diag *diag)
{
    if (diag->level == DIAG_REMARK)
        diag_remark(diags, diag->span, "%s", diag->message);
    else
        diag_note(diags, diag->span, "%s", diag->message);
}

static bool is_given(const Diags *diags, const Diag *diag)
{
    for (size_t i = 0; i < diags->count; i++)
        if (diags->list[i].span.source == diag->span.source &&
            diags->list[i].span.begin == diag->span.begin &&
            strcmp(diags->list[i].message, diag->message) == 0)
            return true;
    return false;
}

static void give_all(Lower *lower, const Specialisation *s)
{
    bool skips = false;
    for (int i = 0; i < s->remark_count; i++) {
        const Diag *diag = &s->remarks[i];
        if (diag->level == DIAG_REMARK) /* its notes follow it */
            skips = is_given(lower->diags, diag);
        if (!skips)
            give(lower->diags, diag);
    }
}

static bool in_unit(const IrUnit *unit, const IrFunc *fn)
{
    for (int i = 0; i < unit->count; i++)
        if (unit->functions[i] == fn)
            return true;
    return unit->kernel == fn;
}

static int by_place(const void *left, const void *right)
{
    const Specialisation *const *a = left, *const *b = right;
    uint32_t x = (*a)->function->ast->name_span.begin, y = (*b)->function->ast->name_span.begin;
    return (x > y) - (x < y);
}

void remarks_give(Lower *lower)
{
    const Specialisation **list = NULL;
    int count = 0, capacity = 0;
    const Table *table = &lower->specialisations;
    for (size_t i = 0; i < table->capacity; i++) {
        const Specialisation *s = table->slots[i].name ? table->slots[i].value : NULL;
        for (; s; s = s->next)
            if (s->remark_count && in_unit(lower->unit, s->fn))
                array_push(lower->arena, list, count, capacity) = s;
    }
    if (count > 1)
        qsort(list, (size_t)count, sizeof(list[0]), by_place);
    for (int i = 0; i < count; i++)
        give_all(lower, list[i]);
}

/* ---- names ---------------------------------------------------------------------------------- */

void remark_join(FnState *f, const char *name, const Type *a, Span at_a, const Type *b, Span at_b,
                 const Type *result)
{
    if (!wanted(f) || !result || !is_wide_inexact(result) || is_wide_inexact(a) ||
        is_wide_inexact(b))
        return;
    bool a_narrow = is_narrow_inexact(a);
    if (a_narrow == is_narrow_inexact(b) || !at_a.source || !at_b.source)
        return;
    const Type *narrow = a_narrow ? a : b, *integer = a_narrow ? b : a;
    remark(f, a_narrow ? at_b : at_a,
           "'%s' is %s for all its life, since it is %s here and %s elsewhere; begin with %s(...)",
           name, type_name(f->arena, result), type_name(f->arena, integer),
           type_name(f->arena, narrow), type_name(f->arena, narrow));
    diag_note(f->lower->diags, a_narrow ? at_a : at_b, "%s here", type_name(f->arena, narrow));
}
