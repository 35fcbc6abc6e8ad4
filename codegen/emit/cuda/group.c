/* DIALECT_CUDA: sums by atomics of a thread to elements side by side, as the coordinates of a force
** and the corners of a cell are:
**
**     eval atomic_add_runs(force, mul(i, 3), fx)
**     eval atomic_add_runs(force, add(mul(i, 3), 1), fy)
**     eval atomic_add_runs(force, add(mul(i, 3), 2), fz)
** is written as
**     atomic_add_group_f32<3>({ &force[3 * i], ... }, { fx, fy, fz });
**
** where the lanes of a warp divide the sums among them so that neighbours have neighbours' sums:
** the memory adds what comes to one sector at once.
**
** Legal where each is (schedule/privatise/runs.c): it is unobservable which lane adds, and when. So
** those of one array that stand one behind the other may also come in another order. */
#include "codegen/emit/emit.h"
#include "ir/analysis/affine.h"

enum {
    GROUP_MOST = 4,      /* elements side by side: coordinates of a point, corners of a cell */
    STATEMENTS_MOST = 64 /* that are looked through for groups */
};

/* Sums of one array; NULL is one that has been written. */
typedef struct Sums {
    const IrValue *list[STATEMENTS_MOST];
    int count;
    const IrStmt *last; /* of their statements */
} Sums;

/* The sum by atomics that a statement is for, of which lanes may do others'; else NULL. */
static const IrValue *sum_of(const IrStmt *stmt)
{
    const IrValue *value = stmt->kind == IR_EVAL ? stmt->eval.value : NULL;
    bool sum = value && ir_is_intrinsic(value, INTR_atomic_add_runs) &&
               type_is_float(value->operands[0]->type->array.element);
    return sum ? value : NULL;
}

/* How far one sum's element lies behind another's; false: it is not known. */
static bool is_behind(const IrValue *sum, const IrValue *other, int64_t *by)
{
    int last = sum->count - 2;
    int64_t one, two;
    for (int i = 1; i < last; i++)
        if (!affine_same(sum->operands[i], other->operands[i]))
            return false;
    const IrValue *a = affine_split(NULL, sum->operands[last], &one);
    const IrValue *b = affine_split(NULL, other->operands[last], &two);
    *by = two - one;
    return a && b ? affine_same(a, b) : a == b;
}

static void put_group(Emitter *e, const IrValue *const *sums, int count)
{
    const IrValue *array = sums[0]->operands[0];
    Buf at = buf_in(e->arena), values = buf_in(e->arena);
    for (int i = 0; i < count; i++) {
        const IrValue *sum = sums[i];
        buf_printf(
            &at, "%s%s", i ? ", " : "",
            element_address_text(e, array, sum->operands + 1, sum->count - 2, PREC_ARGUMENT));
        buf_printf(&values, "%s%s", i ? ", " : "",
                   value_assigned(e, sum->operands[sum->count - 1], PREC_ARGUMENT));
    }
    line(e, "%s<%d>({ %s }, { %s });", prelude(e, "atomic_add_group", array->type->array.element),
         count, buf_text(&at), buf_text(&values));
}

/* The sums that follow one another, of one array. */
static void find_sums(Sums *s, const IrStmt *stmt)
{
    for (; stmt && s->count < STATEMENTS_MOST; stmt = stmt->next) {
        const IrValue *sum = sum_of(stmt);
        if (!sum || (s->count && !affine_same(sum->operands[0], s->list[0]->operands[0])))
            return;
        s->list[s->count++] = sum;
        s->last = stmt;
    }
}

/* Which of the sums is of the element right behind that of one, or `by` as far; -1: none. */
static int beside(const Sums *s, const IrValue *sum, int64_t by)
{
    int64_t apart;
    for (int i = 0; i < s->count; i++)
        if (s->list[i] && is_behind(sum, s->list[i], &apart) && apart == by)
            return i;
    return -1;
}

/* Takes what begins with a sum out of the list. */
static int take_group(Sums *s, int next, const IrValue **group)
{
    int count = 0;
    while (next >= 0 && count < GROUP_MOST) {
        group[count++] = s->list[next];
        s->list[next] = NULL;
        next = beside(s, group[count - 1], 1);
    }
    return count;
}

const IrStmt *emit_groups(Emitter *e, const IrStmt *stmt)
{
    const IrValue *group[GROUP_MOST];
    Sums s = { .count = 0 };
    if (e->dialect == DIALECT_CUDA)
        find_sums(&s, stmt);
    if (s.count < 2)
        return NULL;
    emit_location(e, stmt->span);
    for (int left = s.count; left > 0;)
        for (int i = 0; i < s.count; i++) {
            if (!s.list[i] || beside(&s, s.list[i], -1) >= 0)
                continue;
            int count = take_group(&s, i, group);
            left -= count;
            if (count > 1)
                put_group(e, group, count);
            else
                line(e, "%s;", value_text(e, group[0], PREC_ARGUMENT));
        }
    return s.last;
}
