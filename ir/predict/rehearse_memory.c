/* What the threads of one block do to the elements of arrays.
**
** Each element has the threads that last wrote and read it since the last barrier. Elements of
** parameters count as if the block were the first of its box: another block's are as many further
** on along each axis, so what holds for the first holds for all. */
#include "ir/predict/rehearsal.h"

enum { CELLS = 1024 };

/* ---- arrays ---------------------------------------------------------------------------------- */

static void shape_of(const Rehearsal *r, const IrVar *var, Memory *memory)
{
    memory->rank = var->type->array.rank;
    if (memory->arg)
        memcpy(memory->shape, memory->arg->shape, sizeof memory->shape);
    else if (var->kind == VAR_SHARED_DYNAMIC)
        memory->shape[0] =
            (int64_t)(r->request->dynamic_shared / type_size(var->type->array.element));
    else
        memcpy(memory->shape, var->shape, sizeof(int64_t) * (size_t)memory->rank);
}

static bool is_memory(const IrVar *var)
{
    return type_is_array(var->type) && var->kind != VAR_LOCAL &&
           (type_is_scalar(var->type->array.element)) && !var->type->array.unaligned;
}

void memory_open(Rehearsal *r)
{
    const IrFunc *fn = r->request->unit->kernel;
    int dynamic = 0;

    for (int i = 0; i < fn->var_count; i++)
        dynamic += fn->vars[i]->kind == VAR_SHARED_DYNAMIC;
    for (int i = 0; i < fn->var_count; i++) {
        const IrVar *var = fn->vars[i];
        if (!is_memory(var) || (var->kind == VAR_SHARED_DYNAMIC && dynamic > 1))
            continue; /* whoever looks for it gives up */
        Memory *memory = arena_new(r->arena, Memory);
        memory->var = var;
        if (var->kind == VAR_PARAM) {
            memory->arg = &r->request->args[var->param];
            memory->access = fn->access[var->param];
        }
        memory->own = var->kind == VAR_PRIVATE;
        shape_of(r, var, memory);
        r->memories[var->id] = memory;
    }
}

/* ---- elements -------------------------------------------------------------------------------- */

static uint32_t slot_of(const Memory *memory, int64_t element)
{
    uint64_t line = (uint64_t)element >> 6;

    return (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15) >> 20 << 6 | (element & 63)) &
                      (memory->capacity - 1));
}

static Cell *look_up(const Rehearsal *r, const Memory *memory, int64_t element)
{
    uint32_t at = slot_of(memory, element);

    while (memory->cells[at].run == r->run && memory->cells[at].element != element)
        at = (at + 1) & (memory->capacity - 1);
    return &memory->cells[at];
}

static void grow(Rehearsal *r, Memory *memory)
{
    const Cell *old = memory->cells;
    uint32_t count = memory->capacity;

    memory->capacity = count ? 4 * count : CELLS;
    rehearsal_work(r, memory->capacity);
    memory->cells = arena_array(r->arena, Cell, memory->capacity);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].run == r->run)
            *look_up(r, memory, old[i].element) = old[i];
}

static Cell *cell_of(Rehearsal *r, Memory *memory, int64_t element)
{
    if (2 * memory->used >= memory->capacity)
        grow(r, memory);
    Cell *cell = look_up(r, memory, element);
    if (cell->run != r->run) {
        *cell = (Cell){ .element = element, .run = r->run };
        memory->used++;
    }
    return cell;
}

/* Whether another thread has done so since the last barrier. */
static bool is_others(const Rehearsal *r, uint32_t when, int16_t who, int thread)
{
    return when == r->stretch && who != thread;
}

static void access_cell(Rehearsal *r, Memory *memory, Cell *cell, int thread, bool writes,
                        bool sure)
{
    if (is_others(r, cell->wrote, cell->writer, thread))
        rehearsal_give_up(r);
    if (!writes) {
        if (!memory->arg && !cell->written)
            rehearsal_give_up(r);
        if (!memory->mixed)
            return;
        cell->reader =
            cell->read == r->stretch && cell->reader != thread ? READERS : (int16_t)thread;
        cell->read = r->stretch;
        return;
    }
    if (is_others(r, cell->read, cell->reader, thread))
        rehearsal_give_up(r);
    cell->wrote = r->stretch;
    cell->writer = (int16_t)thread;
    if (sure && !cell->written) {
        cell->written = true;
        memory->fresh++;
    }
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* An index in range along its axis; a negative one counts from the end. */
static Spread place_along(Rehearsal *r, const Memory *memory, int axis, Spread index,
                          const Mask *mask)
{
    int64_t extent = memory->shape[axis], low, high;

    if (!index.known)
        rehearsal_give_up(r);
    if (index.low >= 0 && index.high < extent)
        return index;
    rehearsal_work(r, (uint64_t)r->threads);
    spread_bounds(r, &index, mask, &low, &high);
    if (high < 0) {
        index.base += extent;
        low += extent;
        high += extent;
    }
    if (low < 0 || high >= extent)
        rehearsal_give_up(r);
    return index;
}

/* Adds to each thread's element its index along an axis, for the first block of the box. */
static void add_axis(Rehearsal *r, int64_t *elements, const Spread *index, int64_t extent)
{
    uint64_t base = (uint64_t)index->base;

    for (int k = 0; k < 3; k++)
        base += (uint64_t)index->slope[k] * r->box.first[k];
    for (int i = 0; i < r->threads; i++)
        elements[i] = (int64_t)((uint64_t)elements[i] * (uint64_t)extent + base +
                                (uint64_t)(index->lanes ? index->lanes[i] : 0));
}

/* Whether each element has a value, and none is written until the next barrier: so far. */
static bool is_calm(const Rehearsal *r, const Memory *memory)
{
    uint64_t elements = memory->own ? (uint64_t)r->threads : 1;

    for (int k = 0; k < memory->rank; k++)
        elements *= (uint64_t)memory->shape[k];
    return memory->wrote != r->stretch && (memory->arg || memory->fresh == elements);
}

static void access_all(Rehearsal *r, Memory *memory, const Spread *at, bool writes,
                       const Mask *mask)
{
    if (writes && memory->read == r->stretch && !memory->mixed) {
        memory->mixed = true;
        rehearsal_again(r);
    }
    *(writes ? &memory->wrote : &memory->read) = r->stretch;
    if (!writes && !memory->mixed && is_calm(r, memory))
        return;
    int64_t *elements = rehearsal_room(r);
    memset(elements, 0, sizeof *elements * (size_t)r->threads);
    for (int k = 0; k < memory->rank; k++)
        add_axis(r, elements, &at[k], memory->shape[k]);
    rehearsal_work(r, (uint64_t)r->threads * 4);
    for (int i = 0; i < r->threads; i++) {
        if (!mask->on[i])
            continue;
        int64_t element = memory->own ? elements[i] * r->threads + i : elements[i];
        access_cell(r, memory, cell_of(r, memory, element), i, writes, mask->sure);
    }
}

/* Whether what is known of a parameter is enough for an access. */
static void check_param(Rehearsal *r, const Memory *memory, int access)
{
    const RehearsalArg *arg = memory->arg;
    bool changes = memory->access & (ACCESS_WRITE | ACCESS_ATOMIC);

    if (!arg->array || !arg->aligned || (changes && !arg->apart) ||
        (access != ACCESS_WRITE && !arg->written))
        rehearsal_give_up(r);
    if ((memory->access & ACCESS_ATOMIC) && memory->access != ACCESS_ATOMIC)
        rehearsal_give_up(r);
}

/* A new run begins with the array unused. */
static void enter(Rehearsal *r, Memory *memory)
{
    if (memory->run == r->run)
        return;
    memory->run = r->run;
    memory->used = 0;
    memory->fresh = 0;
}

void memory_access(Rehearsal *r, Memory *memory, IrValue *const *indices, int count, int access,
                   const Mask *mask)
{
    Spread at[RANK_MAX];

    if (count != memory->rank)
        rehearsal_give_up(r);
    for (int k = 0; k < count; k++)
        at[k] = place_along(r, memory, k, value_of(r, indices[k], mask, true), mask);
    r->accesses += (uint64_t)mask->count;
    if (memory->arg)
        check_param(r, memory, access);
    if (memory->var->kind == VAR_CONSTANT || (memory->arg && memory->access == ACCESS_READ) ||
        access == ACCESS_ATOMIC)
        return;
    enter(r, memory);
    for (int k = 0; k < count; k++)
        if (memory->arg)
            blocks_note(r, memory, k, &at[k], mask);
        else
            at[k] = spread_settled(r, at[k]);
    access_all(r, memory, at, access == ACCESS_WRITE, mask);
}

void memory_close_box(Rehearsal *r, uint64_t blocks)
{
    const IrFunc *fn = r->request->unit->kernel;

    for (int i = 0; i < fn->param_count; i++) {
        Memory *memory = r->memories[fn->vars[i]->id];
        if (!memory || memory->run != r->run)
            continue;
        memory->total += memory->fresh * blocks;
        blocks_note_box(r, memory);
    }
}
