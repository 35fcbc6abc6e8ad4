/* Assignments whose two sides are views of one array: the order in which no element is written
** before it is read.
**
**     v[...] = w    ->    the same loops, along each axis from the end or in another order
**
** Right if both sides have the same strides: with the axes of the longest outside, each axis is
** gone along from its end where elements move up, and from its beginning where they move down.
** Right too if the right side is a row that all rows of the left side take: it is read once for all
** of them; or has one element along an axis where the left side has more: the left side's copy of
** it is written last. What else may overlap is refused where both sides are seen to be parts of one
** array; names of views that stand for one value are looked through, those set twice and
** parameters of device functions may be parts of any array, and are taken to have the same
** strides. */
#include "ir/lower/array.h"

/* ---- what may overlap ----------------------------------------------------------------------- */

/* Whether an array may be a part of any other: a name of a view, or what a caller gives. */
static bool is_anyones(const FnState *f, const IrVar *var)
{
    return var->kind == VAR_LOCAL || (var->kind == VAR_PARAM && !f->fn->kernel);
}

bool views_may_overlap(const FnState *f, const IrValue *view, const IrValue *source)
{
    if (!type_is_array(source->type))
        return false;
    const IrVar *to = ir_array_base(view), *from = ir_array_base(source);
    if (!to || !from || to == from)
        return to && to == from;
    return to->type->array.element == from->type->array.element &&
           ((is_anyones(f, to) && from->kind != VAR_CONSTANT) || is_anyones(f, from));
}

/* ---- names ---------------------------------------------------------------------------------- */

typedef struct OverlapSet {
    const IrVar *var;
    const IrValue *value;
    int times;
} OverlapSet;

static void note_given(void *context, IrStmt *stmt)
{
    OverlapSet *name = context;
    if (stmt->kind != IR_SET || stmt->set.var != name->var)
        return;
    name->value = stmt->set.value;
    name->times++;
}

/* What a name stands for that was given one value so far, else the name. */
static const IrValue *behind_name(const FnState *f, const IrValue *array)
{
    if (array->op != OP_var || array->var->kind != VAR_LOCAL)
        return array;
    OverlapSet name = { .var = array->var };
    ir_each_stmt(&f->fn->body, note_given, &name);
    return name.times == 1 ? name.value : array;
}

static const IrVar *base_behind_names(const FnState *f, const IrValue *array)
{
    for (;;) {
        while (ir_is_part(array))
            array = array->operands[0];
        const IrValue *given = behind_name(f, array);
        if (given == array)
            return array->op == OP_var ? array->var : NULL;
        array = given;
    }
}

/* ---- strides -------------------------------------------------------------------------------- */

/* Without what leaves all strides as they are: slices along each axis by steps of 1, casts; and the
** names of such. */
static const IrValue *without_starts(const FnState *f, const IrValue *array)
{
    for (;; array = array->operands[0]) {
        array = behind_name(f, array);
        if (!ir_is_part(array))
            break;
        if (array->op == OP_cast)
            continue;
        if (array->op != OP_view || strspn(array->axes, "s") != strlen(array->axes))
            break;
        for (int i = 3; i < array->count; i += 3)
            if (!ir_is_integer(array->operands[i], 1))
                return array;
    }
    return array;
}

/* How many operands an entry of a view's axes has. */
static int operands_of(char kind)
{
    return kind == 'i' ? 1 : kind == 's' ? 3 : 0;
}

/* Whether slices of a view go by the steps of another's. */
static bool same_slices(const IrValue *a, const IrValue *b)
{
    int operand = 1;
    for (const char *kind = a->axes; *kind; kind++) {
        if (*kind == 's' && !ir_same_value(a->operands[operand + 2], b->operands[operand + 2]))
            return false;
        operand += operands_of(*kind);
    }
    return true;
}

/* Whether two parts of a variable are seen to have the same strides. */
static bool same_strides(const FnState *f, const IrValue *a, const IrValue *b)
{
    a = without_starts(f, a);
    b = without_starts(f, b);
    if (a->op == OP_view && b->op == OP_view && strcmp(a->axes, b->axes) == 0)
        return same_slices(a, b) && same_strides(f, a->operands[0], b->operands[0]);
    if ((a->op == OP_field || a->op == OP_transpose) && ir_same_operation(a, b))
        return same_strides(f, a->operands[0], b->operands[0]);
    return ir_same_value(a, b);
}

/* Where an axis of a view begins in the array that it is a view of, NULL for its beginning. */
static const IrValue *start_of(const IrValue *view, int axis)
{
    if (view->op != OP_view)
        return NULL;
    int operand = 1;
    for (const char *kind = view->axes; *kind; kind++) {
        if (*kind == 's' && axis-- == 0)
            return ir_is_integer(view->operands[operand], 0) ? NULL : view->operands[operand];
        operand += operands_of(*kind);
    }
    return NULL;
}

/* Whether the source is a row of the same array, as in m[1:] -= m[0], element for element. */
static bool is_row_of(const FnState *f, const IrValue *view, const IrValue *source)
{
    source = behind_name(f, source);
    int more = view->type->array.rank - source->type->array.rank;
    if (more != 1 || source->op != OP_view || source->axes[0] != 'i' ||
        strchr(source->axes + 1, 'i') ||
        !ir_same_value(without_starts(f, view), without_starts(f, source->operands[0])))
        return false;
    for (int axis = 0, operand = 4; axis < source->type->array.rank; axis++, operand += 3) {
        const IrValue *a = start_of(view, axis + more), *b = start_of(source, axis);
        if (!ir_is_integer(source->operands[operand], 1) ||
            (a != b && !(a && b && ir_same_value(a, b))))
            return false;
    }
    return true;
}

/* Whether elements known by numbers alone lie apart: a row and another. */
static bool are_apart(const IrValue *a, const IrValue *b)
{
    if (a->op != OP_view || b->op != OP_view || a->axes[0] != 'i' || b->axes[0] != 'i' ||
        !ir_same_value(a->operands[0], b->operands[0]) || !ir_is_constant(a->operands[1]) ||
        !ir_is_constant(b->operands[1]))
        return false;
    int64_t one = a->operands[1]->constant.integer, other = b->operands[1]->constant.integer;
    return one != other && (one < 0) == (other < 0);
}

bool views_can_be_ordered(const FnState *f, const IrValue *view, const IrValue *source)
{
    return base_behind_names(f, view) != base_behind_names(f, source) ||
           same_strides(f, view, source) || is_row_of(f, view, source) || are_apart(view, source);
}
