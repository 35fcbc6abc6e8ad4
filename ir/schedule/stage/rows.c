/* Threads that go along a row each read and write through shared memory, a warp at a time:
**
**     i = grid(0)                            active = i < threads and i < extent(a, 0)
**     if lt(i, extent(a, 0))                 for iteration in 0 to extent(a, 1) - 31 by 32
**         for k in 0 to extent(a, 1)             for each of the warp's 32 rows that is active:
**             total = total + a[i, k]                a_near[row, lane] = a[row, iteration + lane]
**         sums[i] = total                        eval syncwarp()
**                                                if active
** becomes                                            for _k in 0 to 32 by 1
**                                                        total = total + a_near[self, _k]
**                                                eval syncwarp()
**                                            if active: what is left of the loop, and the rest
**
** What the lanes of a warp read at once then lies side by side, not a row apart; and what the next
** iterations need is loaded while these go on. Stores go the same way back.
**
** Legal where it is unobservable which thread does what (independent.c), in loops that count by
** one, up or down, as far for all threads, and that nothing leaves early; for elements that are
** accessed in every iteration: then what is loaded is what the threads would load, no element more,
** and so is what is stored. Arrays that are read so are not written in the loop, or in the same
** iterations at the same indices; what is written is accessed nowhere else in the loop, nor by
** another iteration, as would be where indices count from the end; and they overlap no other
** argument. Lanes whose thread does nothing, as it was not asked for or a condition around the
** kernel says so, load and store for the others: bounds of loops are known to them, being made of
** arguments.
**
** A row's place may be made of the thread's index in other ways, as in a[i * m + k]: then each lane
** computes it for the row that it loads of. And some threads may end before the others, as with
** min(m, n - i * m) the last of many parts of an array: which threads make all iterations is found
** out before the loop, and the others make theirs by themselves.
**
** What an iteration reads under a condition goes the same way if the element exists in any case,
** and something else along the row is accessed always, beside which that costs little.
**
** Where threads are few, 8 of a warp's lanes have one, and the warp loads 128 iterations of their
** rows at a time; where they are some more, 16 lanes, and 64 iterations: there are more warps then,
** and loads take less of a thread's time.
**
** Threads may lie along other axes of the grid, too: a block's have one index along each of these.
** That pays if some long row is read or written by one thread alone, not by all along such an axis.
**
** Pays for rows of ROW_LEAST iterations and more; loops of fewer go on as they were, and those
** whose iterations have loops of their own of unknown length. */
#include "ir/schedule/stage/rows.h"

#include "ir/analysis/accesses.h"
#include "ir/analysis/flow/flow.h"

/* ---- what a loop accesses -------------------------------------------------------------------- */

typedef struct RowAdding {
    Rows *rows;
    RowLoop *loop;
} RowAdding;

/* What comes in every iteration. */
static void add_access(void *context, const IrValue *array, IrValue *const *index, int count,
                       bool store)
{
    const RowAdding *adding = context;
    RowLoop *loop = adding->loop;
    Row row;
    Row *found = (Row *)rows_find(adding->rows, loop, array, index, count);
    if (!found) {
        if (loop->count == ROW_ARRAYS ||
            !rows_read(adding->rows, loop->loop, array, index, count, &row))
            return;
        found = &loop->rows[loop->count++];
        *found = row;
    }
    *(store ? &found->stores : &found->loads) = true;
}

/* Loads under conditions, of elements that exist all the same. */
static void add_perhaps(void *context, IrValue *value)
{
    RowAdding *adding = context;
    Rows *r = adding->rows;
    RowLoop *loop = adding->loop;
    Row row;
    if (value->op != OP_load || loop->count == ROW_ARRAYS ||
        !rows_read(r, loop->loop, value->operands[0], value->operands + 1, value->count - 1,
                   &row) ||
        row.along < 0 || r->unit->kernel->access[row.array->param] & ACCESS_WRITE ||
        rows_find(r, loop, value->operands[0], value->operands + 1, value->count - 1) ||
        !rows_exist(r, loop->loop, &row))
        return;
    row.loads = true;
    loop->rows[loop->count++] = row;
}

static void add_perhaps_in(void *context, IrStmt *stmt)
{
    ir_each_node_of(stmt, add_perhaps, context);
}

static bool has_along(const RowLoop *loop)
{
    for (int i = 0; i < loop->count; i++)
        if (loop->rows[i].along >= 0)
            return true;
    return false;
}

/* ---- which of them can go through shared memory ---------------------------------------------- */

/* Accesses of one array in a loop, however it is called there. */
typedef struct RowUses {
    const Rows *rows;
    const IrVar *array;
    int direct;
    bool others; /* perhaps, by another name */
} RowUses;

static void count_use(void *context, IrValue *value)
{
    RowUses *uses = context;
    uses->direct += ir_counts_access(value, uses->array);
    if (value->op == OP_var && value->var != uses->array && type_holds_arrays(value->type) &&
        value->var->kind == VAR_LOCAL) {
        const uint64_t *set = ir_pointees(&uses->rows->points_to, value);
        uses->others |= ir_pointees_have(set, uses->array->id) ||
                        ir_pointees_elsewhere(&uses->rows->points_to, set);
    }
}

static void count_uses(void *context, IrStmt *stmt)
{
    ir_each_node_of(stmt, count_use, context);
}

typedef struct RowCounting {
    const Rows *rows;
    const RowLoop *loop;
    const Row *row;
    int count, stores;
} RowCounting;

static void count_load(void *context, IrValue *value)
{
    RowCounting *c = context;
    if (value->op == OP_load)
        c->count += rows_find(c->rows, c->loop, value->operands[0], value->operands + 1,
                              value->count - 1) == c->row;
}

/* Whether an array that is written is accessed in the loop in every iteration at the row's
** elements, and nowhere else, and stored to once. */
static bool is_all(const Rows *r, const RowLoop *loop, const Row *row)
{
    RowUses uses = { .rows = r, .array = row->array };
    RowCounting c = { r, loop, row, 0, 0 };
    ir_each_stmt(&loop->loop->for_.body, count_uses, &uses);
    for (IrStmt *stmt = loop->loop->for_.body.first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_IF || stmt->kind == IR_FOR)
            continue;
        for_each_value (value, stmt)
            ir_each_certain(value, count_load, &c);
        if (stmt->kind == IR_STORE)
            c.stores += rows_find(r, loop, stmt->store.array, stmt->store.indices,
                                  stmt->store.count) == row;
    }
    return c.stores == 1 && c.count + c.stores == uses.direct && !uses.others;
}

/* Whether something in the loop may write to a row's array. */
static bool is_written(const Rows *r, const RowLoop *loop, const Row *row)
{
    const Accesses accesses = accesses_of(r->unit, &r->points_to, loop->loop);
    const IrValue *array = ir_var(r->unit->arena, (IrVar *)row->array, loop->loop->span);
    return accesses.why || accesses_write(&accesses, array, NULL);
}

static bool is_right(const Rows *r, const RowLoop *loop, const Row *row)
{
    int param = row->array->param, access = r->unit->kernel->access[param];
    if (!launch_alone(r->unit->launch, param) || access & ACCESS_ATOMIC)
        return false;
    if (!row->stores)
        return !(access & ACCESS_WRITE) || !is_written(r, loop, row);
    return row->along >= 0 && ir_nonnegative(row->index[row->counter]) &&
           (!row->base || ir_nonnegative(row->index[row->along])) && is_all(r, loop, row);
}

typedef struct RowOrder {
    const Rows *rows;
    const RowLoop *loop;
    const Row *read, *stored;
    bool behind, fine; /* the store has been passed; nothing is read behind it */
} RowOrder;

static void look_at_read(void *context, IrValue *value)
{
    RowOrder *o = context;
    if (value->op == OP_load && o->behind &&
        rows_find(o->rows, o->loop, value->operands[0], value->operands + 1, value->count - 1) ==
            o->read)
        o->fine = false;
}

static void look_at_order(void *context, IrStmt *stmt)
{
    RowOrder *o = context;
    ir_each_own_node(stmt, look_at_read, o);
    o->behind |=
        stmt->kind == IR_STORE && rows_find(o->rows, o->loop, stmt->store.array,
                                            stmt->store.indices, stmt->store.count) == o->stored;
}

/* The slot of another row of the loop, which is only read, each element before the iteration stores
** what may then lie there; -1: there is none. */
static int share_slot(const Rows *r, const RowLoop *loop, const Row *row)
{
    bool shared[ROW_SLOTS] = { false };
    for (const Row *other = loop->rows; other < row; other++)
        if (other->slot >= 0)
            shared[other->slot] |= other->stores || other->along < 0;
    for (const Row *other = loop->rows; other < row && row->stores && !row->loads; other++) {
        RowOrder order = { r, loop, other, row, false, true };
        if (other->slot < 0 || shared[other->slot] ||
            r->slots[other->slot].element != row->array->type->array.element)
            continue;
        ir_each_stmt(&loop->loop->for_.body, look_at_order, &order);
        if (order.fine)
            return other->slot;
    }
    return -1;
}

/* Memory for a row, if there is some: its slot, or -1. */
static int take_slot(Rows *r, const RowLoop *loop, const Row *row)
{
    int shared = loop->ends ? share_slot(r, loop, row) : -1;
    if (shared >= 0)
        return shared;
    const Type *element = row->array->type->array.element;
    bool along = row->along >= 0;
    int64_t rows = FRONT_THREADS / WARP_LANES * r->lanes, width = rows_width(r);
    int64_t bytes = (int64_t)type_size(element) *
                    (along ? rows * (width + 1) : FRONT_THREADS / WARP_LANES * width);
    int i = 0;
    while (i < r->slot_count &&
           (r->slots[i].taken || r->slots[i].element != element || r->slots[i].along != along))
        i++;
    if (i == ROW_SLOTS || (i == r->slot_count && r->bytes + bytes > BROUGHT_BYTES))
        return -1;
    if (i == r->slot_count) {
        r->slots[r->slot_count++] = (RowSlot){ .element = element, .along = along };
        r->bytes += bytes;
    }
    r->slots[i].taken = true;
    return i;
}

/* Registers that a thread needs for what it holds of a row. */
static int words_held(const Rows *r, const Row *row)
{
    int size = (int)type_size(row->array->type->array.element);
    int pieces = row->along >= 0 ? ROW_ITERATIONS : rows_pieces(r);
    return !row->loads ? 0 : pieces * (size > 4 ? 2 : 1);
}

int64_t rows_width(const Rows *r)
{
    return (int64_t)ROW_ITERATIONS * rows_pieces(r);
}

int rows_pieces(const Rows *r)
{
    return WARP_LANES / r->lanes;
}

static Directive directive_of(const RowLoop *loop, const Row *row)
{
    return (Directive){ DO_ROWS, .array = row->array->name, .loop = schedule_loop(loop->loop),
                        .site = row->index, .span = loop->loop->span };
}

/* Whether as many lanes as a directive has can have rows. */
static bool take_lanes(Rows *r, const Directive *directive)
{
    int lanes = directive->number ? (int)directive->number : WARP_LANES;
    bool right = directive->number <= WARP_LANES && lanes >= 4 && !(lanes & (lanes - 1)) &&
                 (!r->lanes || r->lanes == lanes);
    r->lanes = right ? lanes : r->lanes;
    return right;
}

/* Whether the schedule has what can be done. */
static bool is_scheduled(Rows *r, const RowLoop *loop, Row *row, bool right)
{
    Directive own = directive_of(loop, row);
    own.number = r->lanes < WARP_LANES ? r->lanes : 0;
    if (!right)
        schedule_refuse(r->unit, own, loop->loop->span,
                        "the array may be written meanwhile, or overlap another argument");
    row->directive = right ? schedule_take(r->unit, own, true) : NULL;
    if (!row->directive || take_lanes(r, row->directive))
        return row->directive != NULL;
    schedule_refuse(r->unit, own, loop->loop->span,
                    "4, 8, 16 or 32 lanes of a warp have rows, as many in all loops");
    return false;
}

/* Keeps what can go through shared memory, as far as there is room; false if nothing is left that
** lies in rows. */
static bool choose_rows(Rows *r, RowLoop *loop)
{
    enum { WORDS_MOST = 128 }; /* registers for what is held, of the 255 that a thread may have */
    RowLoop kept = *loop;
    kept.count = 0;
    int words = 0;
    bool right[ROW_ARRAYS], along = false;
    for (int i = 0; i < loop->count; i++) {
        right[i] = is_scheduled(r, loop, &loop->rows[i], is_right(r, loop, &loop->rows[i]));
        along |= right[i] && loop->rows[i].along >= 0;
    }
    for (int i = 0; i < r->slot_count; i++)
        r->slots[i].taken = false;
    for (int i = 0; i < loop->count && along; i++) {
        Row *row = &loop->rows[i];
        int more = right[i] ? words_held(r, row) : 0;
        row->slot = right[i] && words + more <= WORDS_MOST ? take_slot(r, loop, row) : -1;
        if (row->slot >= 0) {
            kept.rows[kept.count++] = *row;
            words += more;
        }
    }
    *loop = kept;
    return has_along(loop);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool is_short(const IrStmt *loop)
{
    int64_t count = ir_trip_count(loop);
    return count >= 0 && count < ROW_LEAST;
}

/* Whether all lanes make the same iterations of a loop, but for those behind where some end. */
static bool is_even(const Rows *r, const IrStmt *loop)
{
    return loop->for_.var->type == type_int64 && !loop->for_.sum_count &&
           sets_loop(&r->affine.sets, loop->for_.var) == loop && !flow_ways_out(&loop->for_.body) &&
           rows_shared(r, loop->for_.start) && rows_least(r, loop->for_.stop) &&
           rows_shared(r, loop->for_.step);
}

static void note_long(void *context, IrStmt *stmt)
{
    *(bool *)context |= stmt->kind == IR_WHILE || (stmt->kind == IR_FOR && ir_trip_count(stmt) < 0);
}

/* Whether what an iteration reads at the counter is little beside what its own loops read. */
static bool has_long_loops(const IrStmt *loop)
{
    bool found = false;
    ir_each_stmt(&loop->for_.body, note_long, &found);
    return found;
}

typedef struct RowLength {
    const Rows *rows;
    bool slim;
} RowLength;

static void look_for_slim(void *context, IrValue *value)
{
    RowLength *length = context;
    const IrValue *size = sets_behind_casts(&length->rows->affine.sets, value);
    int param = size->op == OP_extent ? ir_array_param(size->operands[0]) : -1;
    if (size->op == OP_var && size->var->kind == VAR_PARAM && type_is_integer(size->type))
        param = size->var->param;
    if (param >= 0)
        length->slim |= launch_rows_to_1024(length->rows->unit->launch, param);
}

/* Whether rows are so short that what is left over of them tells. Long ones end as they were: the
** tiles' own code comes out better without. */
static bool has_short_rows(const Rows *r, const RowLoop *loop)
{
    const IrValue *length =
        sets_behind_casts(&r->affine.sets, loop->down ? loop->loop->for_.start : loop->stop);
    RowLength l = { r, ir_is_constant(length) && length->constant.integer <= SLIM_AXIS };
    ir_each_node((IrValue *)length, look_for_slim, &l);
    return l.slim;
}

static bool try_loop(Rows *r, IrStmt *stmt)
{
    RowLoop loop = { .loop = stmt,
                     .stop = rows_least(r, stmt->for_.stop),
                     .own = !rows_shared(r, stmt->for_.stop),
                     .down = ir_is_integer(stmt->for_.step, -1) };
    if (!(loop.down ? !loop.own : ir_is_integer(stmt->for_.step, 1)) || is_short(stmt) ||
        stmt->for_.unroll)
        return false;
    front_accesses(stmt, add_access, &(RowAdding){ r, &loop });
    if (has_along(&loop))
        ir_each_stmt(&stmt->for_.body, add_perhaps_in, &(RowAdding){ r, &loop });
    if (loop.count && !schedule_is_given(r->unit) && has_long_loops(stmt))
        return true; /* nor do its own loops go along rows, which lie apart from each other */
    loop.ends = has_short_rows(r, &loop);
    if (!choose_rows(r, &loop))
        return false;
    array_push(r->unit->arena, r->loops, r->loop_count, r->loop_capacity) = loop;
    return true;
}

bool rows_names(const Rows *r, const IrStmt *stmt)
{
    return stmt->kind == IR_SET && sets_value(&r->affine.sets, stmt->set.var) &&
           rows_shared(r, stmt->set.value);
}

/* Loops that all lanes come to, from the outermost on, and names for what all lanes know. */
static void find_loops(Rows *r, IrStmt *first)
{
    for (IrStmt *stmt = first; stmt; stmt = stmt->next) {
        if (rows_names(r, stmt)) {
            r->common[stmt->set.var->id] = true;
        } else if (stmt->kind == IR_FOR && is_even(r, stmt)) {
            if (try_loop(r, stmt) || !rows_shared(r, stmt->for_.stop))
                continue;
            r->common[stmt->for_.var->id] = true; /* to the loops inside, not to itself */
            find_loops(r, stmt->for_.body.first);
        } else if (stmt->kind == IR_IF && rows_shared(r, stmt->if_.condition)) {
            find_loops(r, stmt->if_.then.first);
            find_loops(r, stmt->if_.otherwise.first);
        }
    }
}

const RowLoop *rows_loop(const Rows *r, const IrStmt *stmt)
{
    for (int i = 0; i < r->loop_count; i++)
        if (r->loops[i].loop == stmt)
            return &r->loops[i];
    return NULL;
}

static bool region_has(const Rows *r, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (rows_inside(r, stmt))
            return true;
    return false;
}

bool rows_inside(const Rows *r, const IrStmt *stmt)
{
    if (rows_loop(r, stmt))
        return true;
    if (stmt->kind == IR_IF)
        return region_has(r, &stmt->if_.then) || region_has(r, &stmt->if_.otherwise);
    return stmt->kind == IR_FOR && region_has(r, &stmt->for_.body);
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* What is set in front of the conditions around the kernel, all lanes have. */
static void note_common(Rows *r, const Guarded *guarded)
{
    for (int i = 0; i < guarded->set_count; i++)
        r->common[guarded->sets[i]->set.var->id] |= rows_names(r, guarded->sets[i]);
}

void rows_look(Rows *r, const Guarded *guarded)
{
    *r = (Rows){ .unit = r->unit, .lanes = r->lanes };
    r->affine = ir_affine(r->unit, NULL);
    r->points_to = ir_points_to(r->unit->arena, r->unit->kernel);
    r->sums = ir_polynomials(r->unit->arena, r->unit->kernel);
    r->sums.whole = true;
    r->common = arena_array(r->unit->arena, bool, r->unit->kernel->var_count + 1);
    note_common(r, guarded);
    find_loops(r, (IrStmt *)guarded->rest);
}

/* How many lanes of a warp are to have a row: fewer where threads are so few that there is room for
** more warps, if all loops fill the tiles that these have. */
static int lanes_of(const Rows *r)
{
    IrLaunch *launch = r->unit->launch;
    bool fills = r->loop_count > 0 && launch_large_grid(launch, GRID_X_64);
    for (int i = 0; i < r->loop_count && fills; i++)
        fills = !r->loops[i].down &&
                front_is_long(r->unit, &r->affine.sets, r->loops[i].loop, r->loops[i].stop);
    if (!fills)
        return WARP_LANES;
    return launch_large_grid(launch, GRID_BELOW_8192)   ? ROW_FEW
           : launch_large_grid(launch, GRID_FROM_32768) ? WARP_LANES
                                                        : ROW_SOME;
}

/* Of 32 rows a warp, or of fewer. */
static void look(Rows *r, const Guarded *guarded)
{
    bool given = schedule_is_given(r->unit);
    r->lanes = given ? 0 : WARP_LANES;
    rows_look(r, guarded);
    int lanes = given ? WARP_LANES : lanes_of(r);
    if (lanes == WARP_LANES)
        return;
    r->lanes = lanes;
    rows_look(r, guarded);
}

static bool has_own_row(const RowLoop *loop, const IrAffine *affine, unsigned axes)
{
    for (int i = 0; i < loop->count; i++)
        if (front_apart(affine, axes, loop->rows[i].index, loop->rows[i].count))
            return true;
    return false;
}

/* Whether some long row is of one thread alone, whatever its index along other axes: of what many
** threads share tiles of these are worth more, and so they are of short rows. */
static bool is_worth(const Rows *r, const Guarded *guarded)
{
    const IrAffine inside = ir_affine(r->unit, guarded->within);
    unsigned axes = ir_axes_asked(r->unit->kernel);
    bool worth = schedule_is_given(r->unit) || axes <= 1;
    for (int i = 0; i < r->loop_count && !worth; i++)
        worth = has_own_row(&r->loops[i], &inside, axes) &&
                front_is_long(r->unit, &r->affine.sets, r->loops[i].loop, r->loops[i].stop);
    return worth;
}

static void make(Rows *r, Guarded *guarded)
{
    rows_make(r, guarded);
    for (int i = 0; i < r->loop_count; i++)
        for (int k = 0; k < r->loops[i].count; k++)
            schedule_done(r->loops[i].rows[k].directive);
}

void ir_rows(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Rows r = { .unit = unit };
    Span span;
    if (!guard_begin(unit))
        return;
    IrLaunch before = *unit->launch;
    Guarded guarded = guard_find(unit->arena, fn);
    const char *why = ir_dependent(unit, &span);
    if (guarded.rest && !why && (ir_goes_along(fn, 1, true) || ir_goes_along(fn, 3, false)))
        look(&r, &guarded);
    if (why)
        schedule_refuse_all(unit, DO_ROWS, span, why);
    bool found = r.loop_count && is_worth(&r, &guarded);
    if (found && (schedule_is_given(unit) || launch_large_grid(unit->launch, GRID_X_64)))
        make(&r, &guarded);
    else if (!found)
        *unit->launch = before; /* the code depends on none of what was asked */
}
