/* How the axes of arrays lie in memory, which NumPy keeps in what it makes of others: it shows in
** the order of sums and in what reshape() and ravel() have to copy. */
#include "runtime/array/array.h"
#include "runtime/program/fuse.h"

/* How far apart elements are along each axis of the shape that an operand is brought to; 0 where it
** has one alone. Of an expression, what it is for its own result. */
static void steps_of(HostValue value, int rank, int64_t steps[KJIT_RANK_MAX])
{
    int64_t shape[KJIT_RANK_MAX], step = 1;
    int32_t order[KJIT_RANK_MAX];
    int own = operand_shape(value, shape);
    memset(steps, 0, (size_t)rank * sizeof *steps);
    steps += rank - own;
    if (value.kind == HOST_EXPRESSION)
        axes_by_steps(value, order);
    for (int i = own - 1; i >= 0; i--) {
        int axis = value.kind == HOST_EXPRESSION ? order[i] : i;
        if (shape[axis] != 1)
            steps[axis] = value.kind == HOST_ARRAY ? llabs(value.array->view.strides[axis]) : step;
        step *= shape[axis];
    }
}

/* Whether an axis belongs inside another one, of which `steps` tell for each operand: 1 if so, 0 if
** not, -1 if nothing tells. Where operands differ, rows win. */
static int belongs_inside(int64_t (*steps)[KJIT_RANK_MAX], int count, int axis, int other)
{
    int inside = -1;
    for (int i = 0; i < count; i++) {
        int64_t a = steps[i][axis], b = steps[i][other];
        if (a == 0 || b == 0)
            continue;
        if (b <= a)
            return 0;
        inside = 1;
    }
    return inside;
}

/* As NumPy's iterator orders axes (its NEP 10): each is brought inwards past those that it belongs
** inside of, and past those of which nothing tells. */
void axes_by_steps(HostValue value, int32_t order[KJIT_RANK_MAX])
{
    int64_t steps[OPERANDS_MOST][KJIT_RANK_MAX], shape[KJIT_RANK_MAX];
    const bool tree = value.kind == HOST_EXPRESSION;
    const int rank = operand_shape(value, shape), count = tree ? value.expression->count : 1;
    for (int i = 0; i < count; i++)
        steps_of(tree ? value.expression->operands[i] : value, rank, steps[i]);
    for (int i = 0; i < rank; i++)
        order[i] = i;
    for (int i = rank - 2; i >= 0; i--) {
        int32_t axis = order[i];
        int to = i, inside = -1;
        for (int k = i + 1; k < rank && inside != 0; k++) {
            inside = belongs_inside(steps, count, axis, order[k]);
            if (inside == 1)
                to = k;
        }
        memmove(order + i, order + i + 1, (size_t)(to - i) * sizeof *order);
        order[to] = axis;
    }
}

/* The axes by their strides, the widest first: as NumPy orders those of a copy. */
static void axes_by_strides(const kjit_array *view, int32_t order[KJIT_RANK_MAX])
{
    for (int i = 0; i < view->rank; i++) {
        int at = i;
        for (; at > 0 && llabs(view->strides[order[at - 1]]) < llabs(view->strides[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* The axes of an array, outermost first, as an order has them. */
static void axes_in(char layout, const kjit_array *view, int32_t order[KJIT_RANK_MAX])
{
    const bool rows = kjit_array_is_contiguous(view, 0), columns = array_is_columns(view);
    if (layout == 'K' && !rows && !columns) {
        axes_by_strides(view, order);
        return;
    }
    const bool columns_first = layout == 'F' || (layout == 'K' && !rows);
    for (int i = 0; i < view->rank; i++)
        order[i] = columns_first ? view->rank - 1 - i : i;
}

/* The shape with its axes in an order, and where each axis is then; false if it is where it was. */
static bool permuted_shape(int rank, const int64_t *shape, const int32_t *order,
                           int64_t permuted[KJIT_RANK_MAX], int32_t back[KJIT_RANK_MAX])
{
    bool moves = false;
    for (int i = 0; i < rank; i++) {
        permuted[i] = shape[order[i]];
        back[order[i]] = i;
        moves |= order[i] != i;
    }
    return moves;
}

void axes_without(HostValue value, int axis, int32_t order[KJIT_RANK_MAX],
                  int32_t back[KJIT_RANK_MAX])
{
    int64_t shape[KJIT_RANK_MAX];
    int32_t all[KJIT_RANK_MAX];
    const int rank = operand_shape(value, shape);
    int kept = 0;
    axes_by_steps(value, all);
    for (int i = 0; i < rank; i++)
        if (all[i] != axis) {
            back[all[i] - (all[i] > axis)] = kept;
            order[kept++] = all[i];
        }
}

bool host_array_permute(Program *p, const int32_t *axes, HostArray **array)
{
    kjit_array view;
    kjit_status status = kjit_array_transpose(&(*array)->view, axes, &view);
    if (status != KJIT_OK)
        return host_failed(p, status);
    *array = host_array_of(p, (*array)->block, &view);
    return true;
}

bool host_array_transpose(Program *p, HostArray **array)
{
    return host_array_permute(p, NULL, array);
}

bool host_array_in(Program *p, char layout, HostArray **array)
{
    int32_t order[KJIT_RANK_MAX];
    axes_in(layout, &(*array)->view, order);
    return host_array_permute(p, order, array);
}

bool host_array_for(Program *p, HostExpression *expression, HostArray **out)
{
    int32_t order[KJIT_RANK_MAX], back[KJIT_RANK_MAX];
    int64_t permuted[KJIT_RANK_MAX];
    axes_by_steps(host_object(expression), order);
    bool moves = permuted_shape(expression->rank, expression->shape, order, permuted, back);
    return host_array_new(p, expression->dtype, expression->rank, permuted, false, out) &&
           (!moves || host_array_permute(p, back, out));
}

bool host_array_new_like(Program *p, const kjit_array *element, const kjit_array *like, char layout,
                         HostArray **out)
{
    int32_t order[KJIT_RANK_MAX], back[KJIT_RANK_MAX];
    int64_t permuted[KJIT_RANK_MAX];
    axes_in(layout, like, order);
    bool moves = permuted_shape(like->rank, like->shape, order, permuted, back);
    return host_array_like(p, element, like->rank, permuted, false, false, out) &&
           (!moves || host_array_permute(p, back, out));
}

bool host_array_copy_in(Program *p, HostArray *from, kjit_dtype dtype, char layout, HostArray **out)
{
    int32_t order[KJIT_RANK_MAX], back[KJIT_RANK_MAX];
    int64_t permuted[KJIT_RANK_MAX];
    axes_in(layout, &from->view, order);
    bool moves = permuted_shape(from->view.rank, from->view.shape, order, permuted, back);
    *out = from;
    return (!moves || host_array_permute(p, order, out)) &&
           host_array_copy_as(p, *out, dtype, out) && (!moves || host_array_permute(p, back, out));
}

bool host_array_layout(Program *p, const HostArgs *args, size_t index, char plain,
                       const kjit_array *like, char *layout)
{
    const HostValue order = args_get(args, index, "order", host_none());
    const char *text = order.kind == HOST_STRING ? order.string->text : "";
    *layout = text[0] && !text[1] ? text[0] : 0;
    if (order.kind == HOST_NONE)
        *layout = plain;
    if (*layout == 'A')
        *layout = like && array_is_columns(like) && !kjit_array_is_contiguous(like, 0) ? 'F' : 'C';
    return *layout == 'C' || *layout == 'F' || *layout == 'K' ||
           host_fail(p, "ValueError", "order must be one of 'C', 'F', 'A', or 'K'");
}

/* ---- flags ----------------------------------------------------------------------------------- */

enum { BY_ROWS = 1, BY_COLUMNS = 2, WRITEABLE = 4 };

HostValue host_flags(const kjit_array *view)
{
    HostValue flags = host_int(0);
    flags.kind = HOST_FLAGS;
    flags.integer = (kjit_array_is_contiguous(view, 0) ? BY_ROWS : 0) |
                    (kjit_array_is_contiguous(view, 1) ? BY_COLUMNS : 0) |
                    (view->flags & KJIT_READONLY ? 0 : WRITEABLE);
    return flags;
}

bool host_flag(HostValue flags, const char *name, bool key, HostValue *out)
{
    static const struct {
        const char *attribute, *key, *letter;
        int any, none; /* one of these, and none of those */
    } known[] = {
        { "c_contiguous", "C_CONTIGUOUS", "C", BY_ROWS, 0 },
        { "contiguous", "CONTIGUOUS", "C", BY_ROWS, 0 },
        { "f_contiguous", "F_CONTIGUOUS", "F", BY_COLUMNS, 0 },
        { "fnc", "FNC", "FNC", BY_COLUMNS, BY_ROWS },
        { "forc", "FORC", "FORC", BY_ROWS | BY_COLUMNS, 0 },
        { "writeable", "WRITEABLE", "W", WRITEABLE, 0 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (key ? !strcmp(name, known[i].key) || !strcmp(name, known[i].letter)
                : !strcmp(name, known[i].attribute))
            return host_give(
                out, host_bool((flags.integer & known[i].any) && !(flags.integer & known[i].none)));
    return false;
}
