/* Threads of one axis whose loops each go along memory of their own, as those that add up a row
** each do:
**
**     for k in 0 to extent(a, 1)
**         sum = sum + a[grid(0), k]
**
** Some run jammed, their sums in registers: each reads its row as it lies, and none waits for its
** own sum while there are others to add to. Vectors over the threads would have to be gathered from
** as many rows. Where no iteration waits for the one before, a thread's own are vectors.
**
** It pays where loops do little else; the rows that are gone along at once are few enough that the
** processor fetches all of them ahead. */
#include "ir/analysis/flow/uses.h"
#include "ir/schedule/tile/tiles.h"

enum { STREAMS_MOST = 16, ROWS_LEAST = 4 };

typedef struct TileRows {
    const Tiles *tiles;
    int axis;
    const IrStmt *loop; /* at hand */
    const IrValue *loads[STREAMS_MOST];
    int count, most; /* of the rows that a thread goes along in this loop, and in any */
    bool carries;    /* an iteration of some loop waits for the one before */
    bool other;      /* something is not so */
} TileRows;

/* Whether each thread goes along a row of its own, by what the loop counts. */
static bool goes_along(const TileRows *r, const IrValue *array, IrValue *const *indices)
{
    int dense = dense_axis(array->type);
    return array->op == OP_var && dense >= 0 &&
           tiles_is_counter(r->tiles, r->loop->for_.var, indices[dense]);
}

static void note_access(TileRows *r, const IrValue *array, IrValue *const *indices)
{
    bool varies = false;
    for (int i = 0; i < array->type->array.rank; i++)
        varies |= affine_varies(&r->tiles->affine, indices[i], r->axis);
    r->other |= varies && !goes_along(r, array, indices);
    r->count += varies;
}

static bool is_slow(const IrValue *value)
{
    bool index = value->op == OP_intrinsic &&
                 (value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize);
    return (value->op == OP_intrinsic && !index) || value->op == OP_call || value->op == OP_div ||
           value->op == OP_pow || value->op == OP_floordiv || value->op == OP_mod ||
           value->op == OP_select;
}

static void note_node(void *context, IrValue *value)
{
    TileRows *r = context;
    r->other |= is_slow(value);
    if (value->op != OP_load)
        return;
    for (int i = 0; i < r->count && i < STREAMS_MOST; i++)
        if (r->loads[i] && ir_same_value(r->loads[i], value))
            return;
    if (r->count < STREAMS_MOST)
        r->loads[r->count] = value;
    note_access(r, value->operands[0], value->operands + 1);
}

static void note_stmt(void *context, IrStmt *stmt)
{
    TileRows *r = context;
    if (stmt == r->loop)
        return;
    r->other |= stmt->kind != IR_SET && stmt->kind != IR_STORE;
    ir_each_own_node(stmt, note_node, r);
    if (stmt->kind == IR_STORE)
        note_access(r, stmt->store.array, stmt->store.indices);
}

/* Whether a loop hands a variable on from iteration to iteration. */
static bool carries(const TileRows *r, const IrStmt *loop)
{
    const IrUnit *unit = r->tiles->unit;
    int count = unit->kernel->var_count;
    unsigned char *uses = arena_array(unit->arena, unsigned char, count + 1);
    for (const IrStmt *stmt = loop->for_.body.first; stmt; stmt = stmt->next)
        uses_of_stmt(uses, stmt, true);
    for (int i = 0; i < count; i++)
        if ((uses[i] & USE_SET) && (uses[i] & USE_INCOMING))
            return true;
    return false;
}

static void note_loop(void *context, IrStmt *stmt)
{
    TileRows *r = context;
    r->other |= stmt->kind == IR_WHILE;
    if (stmt->kind != IR_FOR)
        return;
    r->carries |= carries(r, stmt);
    memset(r->loads, 0, sizeof r->loads);
    r->loop = stmt;
    r->count = 0;
    ir_each_stmt_of(stmt, note_stmt, r);
    r->other |= !r->count;
    r->most = r->count > r->most ? r->count : r->most;
}

/* How many threads pay; 0: none. */
static int rows_worth(const Tiles *tiles, int axis)
{
    TileRows r = { .tiles = tiles, .axis = axis };
    int count = STREAMS_MOST;
    ir_each_stmt(&tiles->unit->kernel->body, note_loop, &r);
    while (r.most * count > STREAMS_MOST)
        count /= 2;
    return r.most && r.carries && !r.other && count >= ROWS_LEAST ? count : 0;
}

bool tiles_jam_rows(Tiles *tiles)
{
    IrUnit *unit = tiles->unit;
    int axis = tiles->order[0];
    int worth = tiles->axes == 1 && !tiles_transposed_all(tiles) ? rows_worth(tiles, axis) : 0;
    Directive own = { DO_JAM_ROWS, .axes = { (uint8_t)axis }, .axis_count = 1,
                      .number = worth ? worth : ROWS_LEAST };
    Span span = unit->kernel->body.first->span;
    Directive *directive = schedule_take(unit, own, worth > 0);
    if (!directive)
        return false;
    if (tiles->axes != 1 || directive->axes[0] != axis || directive->number > TILE_MAX ||
        !coarsen_jam(unit, axis, (int)directive->number)) {
        schedule_refuse(unit, own, span,
                        "it takes 2 to 64 threads along the one axis that there is");
        return false;
    }
    unit->shape.light = 1;
    schedule_done(directive);
    ir_remark(unit, span, "%d threads run side by side, each along memory of its own",
              (int)directive->number);
    return true;
}
