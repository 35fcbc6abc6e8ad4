/* Threads that have a record each, as small matrices lie behind each other, read and write records
** through shared memory:
**
**     i = grid(0)                            if all lanes are active
**     if lt(i, n)                                for e in lane to 32 * 9 by 32
**         d = a[i * 9] * a[i * 9 + 4] ...            near[base + e / 9, e % 9] = a[first * 9 + e]
**         out[i * 9] = ...              =>       eval syncwarp()
**                                                d = near[self, 0] * near[self, 4] ...
**                                                out_near[self, 0] = ...
**                                                eval syncwarp()
**                                                and back from out_near to out
**                                            else if active: as it was
**
** so that a warp meets its 32 records in stretches, and not one apart in each lane.
**
** LEGAL where it is unobservable which thread does what (independent.c), of arrays that overlap no
** other argument and all of whose accesses are of the thread's own record: index i along the first
** axis, or i times a number and less than that more. Extents of other axes are known, or taken to
** be as long as indices go, which is tested. A warp whose records are not all there, or of another
** size, does as the kernel's text says. A record that is stored to goes back whole: what of it may
** not be stored was brought before, and no other thread accesses it.
**
** PAYS for records of more than a sector, whose elements are accessed for the most part, if blocks
** of a warp or two have room for all of them. */
#include "ir/clone.h"
#include "ir/schedule/records/records.h"

typedef struct RecordBuild {
    IrBuilder b[1];
    Records *r;
    Front front;
    IrVar *mask; /* which of the warp's threads do something */
} RecordBuild;

/* ---- pays ------------------------------------------------------------------------------------ */

static int64_t record_bytes(const Record *record)
{
    return record->size * (int64_t)type_size(record->array->type->array.element);
}

/* Odd, so that neighbours' elements lie in other banks. */
static int64_t pitch_of(const Record *record)
{
    return record->size | 1;
}

static int64_t room_of(const Records *r)
{
    int64_t bytes = 0;
    for (int i = 0; i < r->count; i++)
        if (r->list[i].directive)
            bytes += pitch_of(&r->list[i]) * WARP_LANES *
                     (int64_t)type_size(r->list[i].array->type->array.element);
    return bytes;
}

/* ---- records there and back ------------------------------------------------------------------ */

/* The element number `column` of the record of `row`. */
static void indices_of(const RecordBuild *m, const Record *record, IrValue *row, IrVar *column,
                       IrRegion *out, IrValue *indices[RANK_MAX])
{
    int rank = record->array->type->array.rank;
    int64_t behind = 1;
    IrVar *at = column;
    if (record->flat)
        at = build_let(m->b, "_at",
                       build_op(m->b, OP_add, build_times(m->b, row, record->size), column), out);
    for (int k = rank - 1; k >= !record->flat; k--) {
        IrValue *index = build_var(m->b, at);
        if (behind > 1)
            index = build_op(m->b, OP_floordiv, index, behind);
        if (k > !record->flat)
            index = build_op(m->b, OP_mod, index, record->extent[k]);
        indices[k] = ir_never_negative(index);
        behind *= record->extent[k];
    }
    if (!record->flat)
        indices[0] = ir_never_negative(row);
}

/* Loads or stores the records of the warp's threads. */
static void append_copy(const RecordBuild *m, const Record *record, bool back, IrRegion *out)
{
    Arena *arena = m->b->arena;
    int rank = record->array->type->array.rank;
    IrVar *step = build_counter(m->b, "_k");
    IrStmt *loop = build_for(m->b, step, 0, record->size, 1, 0);
    IrVar *each = build_let(
        m->b, "_e", build_op(m->b, OP_add, build_times(m->b, step, WARP_LANES), m->front.lane),
        &loop->for_.body);
    IrVar *row =
        build_let(m->b, "_row", build_op(m->b, OP_floordiv, each, record->size), &loop->for_.body);
    IrVar *column =
        build_let(m->b, "_column", build_op(m->b, OP_mod, each, record->size), &loop->for_.body);
    IrRegion *own = &loop->for_.body;
    IrVar *near = build_let(m->b, "_near", build_op(m->b, OP_add, m->front.base, row), own);
    IrValue *indices[RANK_MAX];
    indices_of(m, record, build_op(m->b, OP_add, m->front.first, row), column, own, indices);
    IrValue *array = build_var(m->b, record->array);
    if (back)
        ir_append(own, ir_store(arena, array, indices, rank,
                                build_load(m->b, record->near, build_var(m->b, near),
                                           build_var(m->b, column)),
                                m->b->span));
    else
        build_store(m->b, record->near, build_var(m->b, near), build_var(m->b, column),
                    ir_load(arena, array, indices, rank, m->b->span), own);
    ir_append(out, loop);
}

static void append_copies(const RecordBuild *m, bool back, IrRegion *out)
{
    for (int i = 0; i < m->r->count; i++) {
        const Record *record = &m->r->list[i];
        if (record->near && (back ? record->stores : !record->covered || record->loads))
            append_copy(m, record, back, out);
    }
}

/* ---- accesses -------------------------------------------------------------------------------- */

static const Record *record_of(const RecordBuild *m, const IrValue *array)
{
    int param = ir_array_param(array);
    return param >= 0 && param < m->r->count && m->r->list[param].near ? &m->r->list[param] : NULL;
}

static IrValue *near_offset(const RecordBuild *m, const Record *record, IrValue *const *indices)
{
    return ir_never_negative(records_offset(m->r, record, m->b, indices));
}

static void change_load(void *context, IrValue **slot)
{
    const RecordBuild *m = context;
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        change_load((void *)m, &value->operands[i]);
    const Record *record = value->op == OP_load ? record_of(m, value->operands[0]) : NULL;
    if (record)
        *slot = build_load(m->b, record->near, build_var(m->b, m->front.self),
                           near_offset(m, record, value->operands + 1));
}

static void change_store(void *context, IrStmt *stmt)
{
    const RecordBuild *m = context;
    const Record *record = stmt->kind == IR_STORE ? record_of(m, stmt->store.array) : NULL;
    if (!record)
        return;
    IrValue **indices = arena_array(m->b->arena, IrValue *, 2);
    indices[0] = build_var(m->b, m->front.self);
    indices[1] = near_offset(m, record, stmt->store.indices);
    stmt->store.array = build_var(m->b, record->near);
    stmt->store.indices = indices;
    stmt->store.count = 2;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* That all of the warp's threads do something, and their records exist. The last row of an array
** that is taken for rows may end early. */
static IrValue *are_whole(const RecordBuild *m)
{
    IrValue *all = build_op(m->b, OP_eq, m->mask, build_integer(m->b, type_uint32, 0xffffffff));
    for (int i = 0; i < m->r->count; i++) {
        const Record *record = &m->r->list[i];
        if (!record->near)
            continue;
        bool rows = record->array->extents != NULL, line = record->flat && !rows;
        IrValue *last = build_op(m->b, OP_add, m->front.first, WARP_LANES - 1 + rows + line);
        IrValue *end = ir_extent(m->b->arena, build_var(m->b, record->array), 0, m->b->span);
        int64_t each = record->size; /* rows, or elements, that a record is */
        for (int k = 1; rows && k < record->array->type->array.rank; k++)
            each /= record->extent[k];
        last = line || rows ? build_times(m->b, last, each) : last;
        all = ir_both(m->b->arena, all, build_op(m->b, line ? OP_le : OP_lt, last, end));
        for (int k = 1; k < record->array->type->array.rank; k++)
            if (record->guessed[k])
                all = ir_both(
                    m->b->arena, all,
                    build_op(m->b, OP_eq,
                             ir_extent(m->b->arena, build_var(m->b, record->array), k, m->b->span),
                             record->extent[k]));
    }
    return all;
}

/* What threads do, as it stands, with variables of its own for those that nothing in front sets. */
static IrRegion copy_of(const RecordBuild *m, const IrRegion *rest)
{
    IrFunc *fn = m->b->fn;
    int count = fn->var_count;
    IrSets sets = ir_sets(m->b->arena, fn, rest);
    IrClone clone = { .arena = m->b->arena, .vars = arena_array(m->b->arena, IrVar *, count + 1) };
    IrRegion copy = { NULL, NULL };
    for (int i = 0; i < count; i++)
        if (sets_any(&sets, fn->vars[i]) && sets.count[i] == m->r->sets.count[i])
            clone.vars[fn->vars[i]->id] = build_own(m->b, fn->vars[i]);
    ir_clone_region(&clone, rest, &copy);
    return copy;
}

static void append_rest(const RecordBuild *m, Guarded *guarded, IrRegion *out)
{
    IrStmt *first = (IrStmt *)guarded->rest;
    IrRegion *within = (IrRegion *)guarded->within;
    IrRegion rest = first->prev ? ir_take_rest(within, first->prev) : *within;
    IrRegion plain = copy_of(m, &rest);
    IrStmt *branch = ir_if(m->b->arena, are_whole(m), m->b->span);
    IrRegion *then = &branch->if_.then;
    ir_append(out, branch);
    append_copies(m, false, then);
    front_meet(m->b, then);
    ir_each_slot_in(&rest, change_load, (void *)m);
    ir_each_stmt(&rest, change_store, (void *)m);
    ir_append_region(then, rest);
    front_meet(m->b, then);
    append_copies(m, true, then);
    ir_append_region(build_if(m->b, m->front.active, &branch->if_.otherwise), plain);
}

static void make(Records *r, Guarded *guarded, int threads, Directive *const *directives)
{
    IrUnit *unit = r->unit;
    RecordBuild m = { .b = { { unit->arena, unit->kernel, guarded->rest->span } }, .r = r };
    IrRegion body = { NULL, NULL };
    IrVar *asked = ir_hidden(unit, HIDDEN_THREADS, 0); /* which gives variables new numbers */
    records_find(r, guarded);
    m.front = front_make(m.b, guarded, asked, WARP_LANES, &body);
    m.mask = front_vote(m.b, m.front.active, &body);
    for (int i = 0; i < r->count; i++) {
        Record *record = &r->list[i];
        if (i < unit->kernel->param_count - 1 && !record->bad && directives[i])
            record->near =
                ir_array_var(unit->arena, unit->kernel,
                             arena_printf(unit->arena, "%s_near", record->array->name),
                             record->array->type->array.element, VAR_SHARED,
                             (int64_t[]){ threads, pitch_of(record) }, 2, record->array->span);
    }
    append_rest(&m, guarded, &body);
    unit->kernel->body = body;
    ir_shape_blocks(unit, threads);
}

/* Loops that go along records of whole 16 bytes load so many at a time (unroll.c). */
static bool pays(const Records *r, const Record *record)
{
    bool wide = !record->stores && record->along == record->size &&
                record_bytes(record) % 16 == 0 &&
                launch_aligned(r->unit->launch, record->array->param);
    return record_bytes(record) > SECTOR_BYTES && 2 * record->touched >= record->size && !wide &&
           launch_large_grid(r->unit->launch, GRID_COARSENS_4);
}

/* Which arrays' records go through shared memory; how many threads a block has then, or 0. */
static int choose(Records *r, Directive **directives)
{
    bool any = false;
    for (int i = 0; i < r->count; i++) {
        Record *record = &r->list[i];
        Directive own = { DO_RECORDS, .array = record->array->name, .site = record->array,
                          .span = record->array->span };
        if (record->bad) {
            schedule_refuse(r->unit, own, record->array->span,
                            "it is accessed otherwise than by records of a thread each");
            continue;
        }
        record->directive = directives[i] = schedule_take(r->unit, own, pays(r, record));
        any |= directives[i] != NULL;
    }
    int64_t room = any ? room_of(r) : 0;
    return !any                        ? 0
           : 2 * room <= BROUGHT_BYTES ? 2 * WARP_LANES
           : room <= BROUGHT_BYTES     ? WARP_LANES
                                       : 0;
}

void ir_records(IrUnit *unit)
{
    Records r = { .unit = unit };
    Span span = unit->kernel->span;
    if (!guard_begin(unit))
        return;
    IrLaunch before = *unit->launch;
    Guarded guarded = guard_find(unit->arena, unit->kernel);
    const char *why = ir_dependent(unit, &span);
    Directive **directives = arena_array(unit->arena, Directive *, unit->kernel->param_count + 1);
    int threads = 0;
    if (!why && guarded.rest && ir_goes_along(unit->kernel, 1, false) && records_find(&r, &guarded))
        threads = choose(&r, directives);
    if (why)
        schedule_refuse_all(unit, DO_RECORDS, span, why);
    if (!threads) {
        *unit->launch = before; /* the code depends on none of what was asked */
        return;
    }
    for (int i = 0; i < r.count; i++)
        if (directives[i]) {
            ir_remark(unit, r.list[i].array->span,
                      "the threads' records of '%s' go through shared memory",
                      r.list[i].array->name);
            schedule_done(directives[i]);
        }
    make(&r, &guarded, threads, directives);
}
