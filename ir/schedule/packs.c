/* Elements side by side in memory, as the coordinates of a point and the channels of a pixel are:
**
**     x = load(pos, k, 0:int32)            x = load.at16(pos, k, 0:int32)
**     y = load(pos, k, 1:int32)       =>   y = load(pos, k, 1:int32)
**     z = load(pos, k, 2:int32)            z = load(pos, k, 2:int32)
**
** The first says at which multiple of bytes it lies. The device's compiler makes one access of
** neighbours if it knows that, and knows no more of an element of its own accord than its size.
**
** Legal if it lies there: the array begins at a multiple of 16 bytes by a fact of the launch, its
** rows, if there are several, and the index are multiples of as many elements, and the index is not
** counted from the end. Pays where another access is to an element behind it in those bytes.
**
** Where a short loop goes through the neighbours, or none of them is the first,
**
**     for c in 0 to 3 by 1
**         store out[add(mul(4, i), c)] = load(src, add(mul(4, i), c))
**
** the device's compiler finds them once it has laid the loop out, if it knows where the array
** begins: `aligned(16)` of the parameter says it. */
#include "base/arith.h"
#include "ir/analysis/affine.h"
#include "ir/optimise.h"

enum {
    SHORT_LOOP = 16, /* iterations that the device's compiler lays out */
    /* Elements that an access could bring at once. Two of 8 bytes took 1.16 times as long as one by
    ** one, where each thread adds a row of eight (H200). */
    NEIGHBOURS_LEAST = 4
};

/* An access to an array parameter. */
typedef struct Neighbour {
    const IrValue *array;
    IrValue *const *indices;
    int along;           /* the axis of neighbours, the last one */
    const IrValue *rest; /* the index along it without constants */
    int64_t offset;      /* behind rest */
    int *cache;
    bool store;
    int first, next; /* of those that differ in nothing but the offset; next -1: the last */
} Neighbour;

typedef struct Packs {
    IrUnit *unit;
    IrAffine affine; /* for multiples: it says nothing of what varies */
    Neighbour *list;
    int count, capacity;
    int *firsts; /* the accesses that are Neighbour.first of any */
    int first_count, first_capacity;
} Packs;

/* Whether two accesses differ in nothing but the offset. */
static bool is_beside(const Neighbour *a, const Neighbour *b)
{
    if (a->store != b->store || a->array->var != b->array->var || !a->rest != !b->rest ||
        (a->rest && !affine_same(a->rest, b->rest)))
        return false;
    for (int i = 0; i < a->along; i++)
        if (!affine_same(a->indices[i], b->indices[i]))
            return false;
    return true;
}

/* Puts an access with those that lie beside it. */
static void add_access(Packs *p, Neighbour access)
{
    int i = 0;
    while (i < p->first_count && !is_beside(&access, &p->list[p->firsts[i]]))
        i++;
    access.first = i < p->first_count ? p->firsts[i] : p->count;
    access.next = -1;
    if (i == p->first_count) {
        array_push(p->unit->arena, p->firsts, p->first_count, p->first_capacity) = p->count;
    } else {
        access.next = p->list[access.first].next;
        p->list[access.first].next = p->count;
    }
    array_push(p->unit->arena, p->list, p->count, p->capacity) = access;
}

static void note_access(Packs *p, Neighbour access)
{
    const Type *type = access.array->type;
    if (ir_array_param(access.array) < 0 || type->array.layout != LAYOUT_C ||
        type->array.unaligned || type->array.rank == 0 || *access.cache ||
        !(type_is_integer(type->array.element) || type->array.element == type_float32 ||
          type->array.element == type_float64))
        return;
    access.along = type->array.rank - 1;
    access.rest = affine_split(&p->affine.sets, access.indices[access.along], &access.offset);
    add_access(p, access);
}

static void note_load(void *context, IrValue *value)
{
    if (value->op == OP_load)
        note_access(context, (Neighbour){ .array = value->operands[0],
                                          .indices = value->operands + 1,
                                          .cache = &value->index });
}

static void note_store(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_STORE)
        note_access(context, (Neighbour){ .array = stmt->store.array,
                                          .indices = stmt->store.indices,
                                          .cache = &stmt->store.cache,
                                          .store = true });
}

/* How many elements a row of an array that comes with rows has, if that is known; else 0. */
static int64_t width_of(const Packs *p, const IrVar *array)
{
    bool rows = array->type->array.rank > 1 && !array->extents;
    return rows ? launch_width(p->unit->launch, array->param) : 0;
}

/* Whether the array begins at a multiple of 16 bytes, and so do rows of a width that is unknown. */
static bool begins_aligned(const Packs *p, const IrVar *array)
{
    IrLaunch *launch = p->unit->launch;
    return launch_aligned(launch, array->param) ||
           (width_of(p, array) && launch_short_row(launch, array->param));
}

/* A power of two that divides the elements of a row. Of arrays that come with rows, but for those
** of a known width, the fact that they are aligned says that it is enough. */
static int64_t multiple_of_rows(const Packs *p, const IrVar *array)
{
    int rank = array->type->array.rank;
    if (array->extents)
        return affine_multiple(&p->affine, array->extents[rank - 2]);
    int64_t width = width_of(p, array);
    return width ? width & -width : WIDE_BYTES;
}

/* The bytes at a multiple of which an access is known to lie, if the array begins at such. */
static int64_t bytes_at(const Packs *p, const Neighbour *access)
{
    const IrValue *index = access->indices[access->along];
    int64_t elements =
        integer_min(affine_multiple(&p->affine, index), multiple_of_rows(p, access->array->var));
    int64_t bytes = elements * (int64_t)type_size(access->array->type->array.element);
    return ir_nonnegative(index) ? integer_min(bytes, WIDE_BYTES) : 1;
}

/* Whether another access is to an element so many bytes behind, or fewer. */
static bool pays(const Packs *p, const Neighbour *access, int64_t bytes)
{
    bool numbers = access->rest == NULL;
    for (int i = 0; i < access->along; i++)
        numbers &= ir_is_constant(access->indices[i]);
    for (int i = access->first; i >= 0 && !numbers; i = p->list[i].next) {
        int64_t ahead = p->list[i].offset - access->offset;
        if (ahead > 0 && ahead * (int64_t)type_size(access->array->type->array.element) < bytes)
            return true;
    }
    return false;
}

/* ---- arrays that begin at 16's --------------------------------------------------------------- */

/* The loop of few iterations that a value counts; NULL: it counts none. */
static const IrStmt *short_loop(const Packs *p, const IrValue *value)
{
    value = sets_behind_casts(&p->affine.sets, value);
    const IrStmt *loop = value->op == OP_var ? sets_loop(&p->affine.sets, value->var) : NULL;
    int64_t trips = loop ? ir_trip_count(loop) : -1;
    bool laid_out = trips > 1 && trips <= SHORT_LOOP && loop->for_.unroll != 1;
    return laid_out ? loop : NULL;
}

/* Whether a value is one of few numbers: a constant, the counter of a short loop, or that times a
** constant. `*step` becomes the least distance between two of them that the counter gives. */
static bool is_near(const Packs *p, const IrValue *value, int64_t *step)
{
    int64_t factor = 1;
    if (ir_is_constant(value))
        return true;
    if (value->op == OP_mul && ir_is_constant(value->operands[0]))
        factor = value->operands[0]->constant.integer, value = value->operands[1];
    else if (value->op == OP_mul && ir_is_constant(value->operands[1]))
        factor = value->operands[1]->constant.integer, value = value->operands[0];
    const IrStmt *loop = short_loop(p, value);
    if (!loop || factor <= 0 || factor > WIDE_BYTES)
        return false;
    *step = integer_min(*step, factor * integer_min(loop->for_.step->constant.integer, WIDE_BYTES));
    return true;
}

/* A power of two that divides what an index is without what is near; INT64_MAX: it is near. */
static int64_t multiple_apart(const Packs *p, const IrValue *value, int64_t *step)
{
    value = sets_behind_casts(&p->affine.sets, value);
    if (is_near(p, value, step))
        return INT64_MAX;
    if (value->op != OP_add && !(value->op == OP_sub && ir_is_constant(value->operands[1])))
        return affine_multiple(&p->affine, value);
    return integer_min(multiple_apart(p, value->operands[0], step),
                       multiple_apart(p, value->operands[1], step));
}

/* Whether the bytes from a multiple of them on, at which an index stands without what is near,
** hold another element that is accessed. */
static bool has_neighbours(const Packs *p, const Neighbour *access)
{
    const IrVar *array = access->array->var;
    int64_t most = WIDE_BYTES / (int64_t)type_size(array->type->array.element), step = most;
    int64_t width = array->type->array.rank > 1 ? width_of(p, array) : most;
    if (most < NEIGHBOURS_LEAST)
        return false;
    const IrValue *index = access->indices[access->along];
    int64_t multiple = multiple_apart(p, index, &step);
    int64_t elements = integer_min(integer_min(multiple, width & -width), most);
    if (multiple == INT64_MAX || !ir_nonnegative(index) || elements < 2)
        return false;
    bool beside = step < elements;
    for (int i = access->first; i >= 0; i = p->list[i].next) {
        if (*p->list[i].cache)
            return false;
        int64_t apart = p->list[i].offset - access->offset;
        beside |= apart != 0 && apart < elements && -apart < elements;
    }
    return beside;
}

void ir_packs(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Packs p = { .unit = unit,
                .affine = { .sets = ir_sets(unit->arena, fn, &fn->body), .unit = { 1, 1, 1 } } };
    ir_each_node_in(&fn->body, note_load, &p);
    ir_each_stmt(&fn->body, note_store, &p);
    for (int i = 0; i < p.count; i++) {
        const Neighbour *access = &p.list[i];
        if (!pays(&p, access, WIDE_BYTES))
            continue;
        int64_t bytes = bytes_at(&p, access);
        if (bytes > (int64_t)type_size(access->array->type->array.element) &&
            pays(&p, access, bytes) && begins_aligned(&p, access->array->var))
            *access->cache = ir_cache_at(bytes);
    }
    for (int i = 0; i < p.count; i++) {
        IrVar *array = (IrVar *)p.list[i].array->var;
        if (!array->alignment && has_neighbours(&p, &p.list[i]) && begins_aligned(&p, array))
            array->alignment = WIDE_BYTES;
    }
}
