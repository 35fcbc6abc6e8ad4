/* Tiles of threads, turned in shared memory: see transpose.c.
**
** A tile is so many threads that follow each other, `wide`, of so many lines, `high`. Where lines
** are short, or few, it is as wide or as high as they are, and the longer for it. */
#include "ir/schedule/stage/transpose.h"

enum {
    BLOCK = 256,
    BLOCKS_STAY = 8, /* of a multiprocessor: what a block computes in front is for many tiles */
    SIDE = 32,       /* of a tile, of elements that take a word or more, */
    SIDE_BYTES = 64, /* and of smaller ones */
    SHORT = 3        /* lines of fewer threads, and fewer lines, are left alone */
};

/* Where threads of a tile are, one behind the other, BLOCK apart. */
typedef struct TileWalk {
    IrVar *fast, *slow;           /* the first one's place along either side of the tile, */
    IrVar *fast_step, *slow_step; /* and how much further the next one is */
    IrVar *length;                /* of the side along which lanes go */
} TileWalk;

typedef struct TransposeBuild {
    IrBuilder b[1];
    Transpose *t;
    int side, count;    /* of the tile; elements of a thread */
    int word;           /* elements in a word */
    bool full;          /* no side is shorter than `side`: what is known then is not computed */
    IrVar *near, *held; /* the tile; what a thread loads of it */
    IrVar *threads;     /* asked for */
    IrVar *line, *lines;
    IrVar *wide, *high, *pitch;
    IrVar *wide_left, *high_left, *first; /* of a tile at the edge; its first thread, */
    IrVar *left, *top;  /* and where that is: in its line, and in which line of a group, */
    IrVar *group;       /* of which group, */
    IrVar *above;       /* after how many lines of all groups */
    IrVar *place;       /* the thread that a copy of the kernel stands for, */
    const IrVar *x, *y; /* at these of the tile */
    IrValue *slot;      /* where what goes across is meanwhile */
    bool loads;         /* the copy is of those that fill the tile */
} TransposeBuild;

/* The least of two numbers that are never negative. */
static IrValue *least_from_0(const TransposeBuild *m, IrValue *a, IrValue *b)
{
    return build_min(m->b, ir_never_negative(a), b);
}

/* ---- parts of a thread's index --------------------------------------------------------------- */

static bool is_product(const IrValue *value, const IrValue *a, const IrValue *b)
{
    return value->op == OP_mul && ir_same_value(value->operands[0], a) &&
           ir_same_value(value->operands[1], b);
}

static IrValue *quotient_in_tile(const TransposeBuild *m, const IrValue *value)
{
    const Transpose *t = m->t;
    bool self;
    const IrValue *by = transpose_divisors(t, value, &self);
    if (by && ir_same_value(by, t->line))
        return build_op(m->b, OP_add, m->above, m->y);
    return by && t->lines && is_product(by, t->line, t->lines) ? build_var(m->b, m->group) : NULL;
}

/* Whether the remainder by `by` of a quotient by `before` is, in its line, what it is in all: a
** line has a multiple of their product. `*all`: it is the whole quotient there. */
static bool is_of_line(const TransposeBuild *m, const IrValue *before, const IrValue *by, bool *all)
{
    const IrValue *line = m->t->line;
    for (*all = true; line; *all = false) {
        if (before ? is_product(line, before, by) : ir_same_value(by, line))
            return true;
        line = line->op == OP_mul ? line->operands[0] : NULL;
    }
    return false;
}

static IrValue *rest_in_tile(const TransposeBuild *m, const IrValue *value)
{
    const Transpose *t = m->t;
    bool self, all;
    const IrValue *by = transpose_argument(t, value->operands[1]);
    const IrValue *before = transpose_divisors(t, value->operands[0], &self);
    if (!by || (!before && !self))
        return NULL;
    if (before && ir_same_value(before, t->line))
        return t->lines && ir_same_value(by, t->lines) ? build_op(m->b, OP_add, m->top, m->y)
                                                       : NULL;
    if (!is_of_line(m, before, by, &all))
        return NULL;
    IrValue *part = build_op(m->b, OP_add, m->left, m->x);
    part->nonnegative = true;
    if (before)
        part = build_op(m->b, OP_floordiv, part, build_copy(m->b, before));
    return all ? part : build_op(m->b, OP_mod, part, build_copy(m->b, by));
}

/* A quotient or remainder of the index that follows from where the thread is in its tile; NULL: it
** does not. What the index is divided by is positive and its products do not wrap (are_long). */
static IrValue *part_in_tile(const TransposeBuild *m, const IrValue *value)
{
    if (value->type != type_int64 || (value->op != OP_floordiv && value->op != OP_mod))
        return NULL;
    IrValue *part = value->op == OP_mod ? rest_in_tile(m, value) : quotient_in_tile(m, value);
    if (part)
        part->nonnegative = true;
    return part;
}

/* ---- copies of the kernel -------------------------------------------------------------------- */

static IrValue *value_of_copy(const IrClone *clone, const IrValue *value)
{
    const TransposeBuild *m = clone->context;
    if (ir_is_intrinsic(value, INTR_grid))
        return build_var(m->b, m->place);
    if (value == m->t->load && !m->loads)
        return build_load(m->b, m->near, build_copy(m->b, m->slot), NULL);
    return part_in_tile(m, value);
}

/* Appends what a thread that fills the tile has for another. */
static void append_held(const TransposeBuild *m, const IrClone *clone, const IrValue *value,
                        IrRegion *out)
{
    build_store(m->b, m->held, build_copy(m->b, m->slot), NULL, ir_clone_value(clone, value), out);
}

/* Appends the store that goes across, of what is in the tile. */
static void append_across(const TransposeBuild *m, const IrClone *clone, const IrStmt *store,
                          IrRegion *out)
{
    IrValue *indices[RANK_MAX];
    for (int i = 0; i < store->store.count; i++)
        indices[i] = ir_clone_value(clone, store->store.indices[i]);
    IrValue *value = build_load(m->b, m->near, build_copy(m->b, m->slot), NULL);
    ir_append(out, ir_store(m->b->arena, ir_clone_value(clone, store->store.array), indices,
                            store->store.count, value, store->span));
}

/* Of the two that do a thread's work, the second does the stores, if a load goes across; else it
** does the one that goes across, and the first all others. */
static bool stmt_of_copy(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const TransposeBuild *m = clone->context;
    const Transpose *t = m->t;
    bool across = stmt == t->stmt, stores = stmt->kind == IR_STORE;
    if (across && m->loads)
        append_held(m, clone, t->load ? t->load : stmt->store.value, out);
    if (t->load)
        return stores && m->loads;
    if (!across || m->loads)
        return stores && across == m->loads;
    append_across(m, clone, stmt, out);
    return true;
}

/* Local variables of a copy's own. */
static IrVar **new_vars(const TransposeBuild *m)
{
    int count = m->b->fn->var_count;
    IrVar **vars = arena_array(m->b->arena, IrVar *, count + 1);
    for (int i = 0; i < count; i++) {
        const IrVar *old = m->b->fn->vars[i];
        if (old->kind != VAR_LOCAL)
            continue;
        vars[i] = ir_var_like(m->b->arena, m->b->fn, old, old->name);
    }
    return vars;
}

/* Appends the kernel as thread `m->place` does it, as far as that is for this one of the two. */
static void append_copy(TransposeBuild *m, IrVar **vars, IrRegion *out)
{
    const IrClone clone = { .arena = m->b->arena,
                            .vars = vars,
                            .value = value_of_copy,
                            .stmt = stmt_of_copy,
                            .context = m };
    ir_clone_region(&clone, &m->t->unit->kernel->body, out);
}

/* ---- going over a tile ----------------------------------------------------------------------- */

static TileWalk walk_of(const TransposeBuild *m, const IrVar *self, IrVar *length, IrRegion *out)
{
    IrValue *block = build_int(m->b, BLOCK);
    TileWalk w = { .length = length };
    w.fast = build_let(m->b, "_fast", build_op(m->b, OP_mod, self, length), out);
    w.slow = build_let(m->b, "_slow", build_op(m->b, OP_floordiv, self, length), out);
    w.fast_step = build_let(m->b, "_fast_step", build_op(m->b, OP_mod, block, length), out);
    w.slow_step = build_let(m->b, "_slow_step", build_op(m->b, OP_floordiv, BLOCK, length), out);
    return w;
}

static void append_step(const TransposeBuild *m, const TileWalk *w, IrVar *fast, IrVar *slow,
                        IrRegion *out)
{
    if (m->full) {
        build_set(m->b, slow, build_plus(m->b, slow, BLOCK / m->side), out);
        return;
    }
    build_set(m->b, fast, build_op(m->b, OP_add, fast, w->fast_step), out);
    build_set(m->b, slow, build_op(m->b, OP_add, slow, w->slow_step), out);
    IrRegion *over = build_if(m->b, build_op(m->b, OP_ge, fast, w->length), out);
    build_set(m->b, fast, build_op(m->b, OP_sub, fast, w->length), over);
    build_set(m->b, slow, build_plus(m->b, slow, 1), over);
}

/* Where a tile's element is in shared memory. */
static IrValue *slot_at(const TransposeBuild *m, const IrVar *x, const IrVar *y)
{
    return ir_never_negative(build_op(m->b, OP_add, build_op(m->b, OP_mul, y, m->pitch), x));
}

/* Begins a loop over a thread's elements of the tile, at x and y of it; gives its body, in front of
** which it appends what they begin with. */
static IrStmt *begin_walk(const TransposeBuild *m, const TileWalk *w, const IrVar **x,
                          const IrVar **y, bool across, IrRegion *out)
{
    IrVar *number = build_counter(m->b, "_number");
    IrVar *fast = build_let(m->b, "_at", w->fast, out);
    IrVar *slow = build_let(m->b, "_of", w->slow, out);
    *x = across ? slow : fast;
    *y = across ? fast : slow;
    IrStmt *each = build_for(m->b, number, 0, m->count, 1, UNROLL_ALL);
    ir_append(out, each);
    return each;
}

static IrRegion *build_if_in_tile(const TransposeBuild *m, const IrVar *x, const IrVar *y,
                                  IrRegion *out)
{
    return build_if(m->b,
                    build_op(m->b, OP_and_then, build_op(m->b, OP_lt, x, m->wide_left),
                             build_op(m->b, OP_lt, y, m->high_left)),
                    out);
}

/* Appends a copy for the thread at x and y of the tile. */
static void append_thread(TransposeBuild *m, const IrVar *x, const IrVar *y, IrVar **vars,
                          IrRegion *out)
{
    m->x = x;
    m->y = y;
    IrValue *behind = build_op(m->b, OP_add, build_op(m->b, OP_mul, y, m->line), x);
    IrValue *place = build_op(m->b, OP_add, m->first, behind);
    m->place = build_let(m->b, "_place", least_from_0(m, place, build_var(m->b, m->threads)), out);
    append_copy(m, vars, build_if(m->b, build_op(m->b, OP_lt, m->place, m->threads), out));
}

/* Threads load, side by side where the kernel's do, or, if a load goes across, where that does; and
** put it into the tile. */
static void append_filling(TransposeBuild *m, const TileWalk *w, bool across, IrVar **vars,
                           IrRegion *out)
{
    const IrVar *x, *y;
    IrStmt *each = begin_walk(m, w, &x, &y, across, out);
    IrRegion *body = &each->for_.body;
    m->loads = true;
    m->slot = build_var(m->b, each->for_.var);
    build_store(m->b, m->held, m->slot, NULL, ir_zero(m->b->arena, m->t->element, m->b->span),
                body);
    append_thread(m, x, y, vars, build_if_in_tile(m, x, y, body));
    append_step(m, w, across ? (IrVar *)y : (IrVar *)x, across ? (IrVar *)x : (IrVar *)y, body);
    each = begin_walk(m, w, &x, &y, across, out);
    body = &each->for_.body;
    build_store(m->b, m->near, slot_at(m, x, y), NULL,
                build_load(m->b, m->held, each->for_.var, NULL), build_if_in_tile(m, x, y, body));
    append_step(m, w, across ? (IrVar *)y : (IrVar *)x, across ? (IrVar *)x : (IrVar *)y, body);
}

/* Threads do the rest with what is in the tile. */
static void append_emptying(TransposeBuild *m, const TileWalk *w, bool across, IrVar **vars,
                            IrRegion *out)
{
    const IrVar *x, *y;
    IrStmt *each = begin_walk(m, w, &x, &y, across, out);
    IrRegion *body = &each->for_.body;
    m->loads = false;
    m->slot = slot_at(m, x, y);
    append_thread(m, x, y, vars, build_if_in_tile(m, x, y, body));
    append_step(m, w, across ? (IrVar *)y : (IrVar *)x, across ? (IrVar *)x : (IrVar *)y, body);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* A number of elements that begins in a bank of its own for each row of so many. */
static int pitch_for(int wide, int word)
{
    return ((wide + word - 1) / word | 1) * word;
}

static int rows_for(int elements, int wide)
{
    return elements / wide / SIDE * SIDE;
}

/* Elements that the largest tile takes. */
static int room_for(int side, int word)
{
    int most = side * pitch_for(side, word), elements = side * side;
    for (int k = SHORT; k < side; k++) {
        int flat = k * pitch_for(rows_for(elements, k), word);
        int steep = rows_for(elements, k) * pitch_for(k, word);
        most = flat > most ? flat : most;
        most = steep > most ? steep : most;
    }
    return most;
}

/* So long that a tile is full whose other side is `other`, if that is short; else `otherwise`. */
static IrValue *beside(const TransposeBuild *m, const IrVar *other, IrValue *otherwise)
{
    IrValue *fits = build_op(m->b, OP_floordiv, m->side * m->side, other);
    fits = build_times(m->b, build_op(m->b, OP_floordiv, fits, SIDE), SIDE);
    IrValue *brief = build_op(m->b, OP_lt, other, m->side);
    return ir_select(m->b->arena, brief, fits, otherwise, m->b->span);
}

static IrValue *side_of(const TransposeBuild *m, const IrVar *length)
{
    return build_min(m->b, build_var(m->b, length), build_int(m->b, m->side));
}

/* A divisor, which is 1 or more. */
static IrVar *let_positive(const TransposeBuild *m, const char *name, IrValue *value, IrRegion *out)
{
    IrValue *one = build_int(m->b, 1);
    return build_let(m->b, name, ir_max(m->b->arena, value, one, m->b->span), out);
}

static void append_sides(TransposeBuild *m, IrRegion *out)
{
    if (m->full) {
        m->wide = build_let(m->b, "_wide", m->side, out);
        m->high = build_let(m->b, "_high", m->side, out);
        m->pitch = build_let(m->b, "_pitch", pitch_for(m->side, m->word), out);
        return;
    }
    IrValue *brief = build_op(m->b, OP_lt, m->line, m->side);
    IrValue *wide = ir_select(m->b->arena, brief, build_var(m->b, m->line),
                              beside(m, m->lines, build_int(m->b, m->side)), m->b->span);
    m->wide = let_positive(m, "_wide", wide, out);
    m->high = let_positive(m, "_high", beside(m, m->line, side_of(m, m->lines)), out);
    IrValue *words = build_plus(m->b, m->wide, m->word - 1);
    words = build_op(m->b, OP_or, build_op(m->b, OP_floordiv, words, m->word), 1);
    m->pitch = build_let(m->b, "_pitch", build_times(m->b, words, m->word), out);
}

/* How often one number goes into another, the last time in part. */
static IrVar *let_times(const TransposeBuild *m, const char *name, const IrVar *whole,
                        const IrVar *part, IrRegion *out)
{
    IrValue *more = build_op(m->b, OP_add, whole, build_plus(m->b, part, -1));
    return let_positive(m, name, build_op(m->b, OP_floordiv, more, part), out);
}

static IrVar *let_left(const TransposeBuild *m, const char *name, const IrVar *whole,
                       const IrVar *begin, const IrVar *part, IrRegion *out)
{
    return build_let(m->b, name, build_min(m->b, build_op(m->b, OP_sub, whole, begin), part), out);
}

/* Where tile number `number` of a side begins, which is no longer than `whole`. */
static IrVar *let_begin(const TransposeBuild *m, const char *name, IrValue *number,
                        const IrVar *part, const IrVar *whole, IrRegion *out)
{
    IrValue *begin = build_op(m->b, OP_mul, number, part);
    return build_let(m->b, name, build_min(m->b, begin, whole), out);
}

/* Which threads tile number `tile` has. `all`: how many lines there are. */
static void append_tile(TransposeBuild *m, const IrVar *tile, const IrVar *across,
                        const IrVar *down, const IrVar *all, IrRegion *out)
{
    IrVar *rest = build_let(m->b, "_rest", build_op(m->b, OP_floordiv, tile, across), out);
    m->left = let_begin(m, "_left", build_op(m->b, OP_mod, tile, across), m->wide, m->line, out);
    m->top = let_begin(m, "_top", build_op(m->b, OP_mod, rest, down), m->high, m->lines, out);
    m->group = build_let(m->b, "_group", build_op(m->b, OP_floordiv, rest, down), out);
    IrValue *above = build_op(m->b, OP_add, build_op(m->b, OP_mul, m->group, m->lines), m->top);
    m->above = build_let(m->b, "_above", least_from_0(m, above, build_var(m->b, all)), out);
    IrValue *first = build_op(m->b, OP_add, build_op(m->b, OP_mul, m->above, m->line), m->left);
    m->first = build_let(m->b, "_first", least_from_0(m, first, build_var(m->b, m->threads)), out);
    m->wide_left = let_left(m, "_wide_left", m->line, m->left, m->wide, out);
    m->high_left = let_left(m, "_high_left", m->lines, m->top, m->high, out);
}

/* There are never more tiles than threads: all lines of all groups are at most four times as many
** threads, tiles hold them at most four times, and a tile has place for SHORT * SIDE or more. */
static void append_tiles(TransposeBuild *m, const IrVar *all, bool full, IrRegion *out)
{
    m->full = full;
    bool load = m->t->load;
    IrVar **vars = new_vars(m), **others = new_vars(m);
    IrVar *self = build_let(m->b, "_self", build_thread_index(m->b, 0), out);
    append_sides(m, out);
    IrVar *across = let_times(m, "_across", m->line, m->wide, out);
    IrVar *down = let_times(m, "_down", m->lines, m->high, out);
    IrVar *groups = let_times(m, "_groups", all, m->lines, out);
    IrValue *count = build_op(m->b, OP_mul, build_op(m->b, OP_mul, groups, down), across);
    IrVar *tiles = build_let(m->b, "_tiles", build_min(m->b, count, m->threads), out);
    TileWalk along = walk_of(m, self, m->wide, out), turned = walk_of(m, self, m->high, out);
    IrVar *tile = build_counter(m->b, "_tile");
    IrStmt *each =
        build_for(m->b, tile,
                  build_cast(m->b, type_int64, ir_axis(m->b->arena, INTR_block_idx, 0, m->b->span)),
                  tiles, 1, 0);
    each->for_.step =
        build_cast(m->b, type_int64, ir_axis(m->b->arena, INTR_grid_dim, 0, m->b->span));
    IrRegion *body = &each->for_.body;
    append_tile(m, tile, across, down, all, body);
    append_filling(m, load ? &turned : &along, load, vars, body);
    ir_append(body, ir_barrier(m->b->arena, m->b->span));
    append_emptying(m, load ? &along : &turned, !load, others, body);
    ir_append(body, ir_barrier(m->b->arena, m->b->span));
    ir_append(out, each);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Threads one by one, as many apart as there are. */
static void append_plain(TransposeBuild *m, IrRegion kernel, IrRegion *out)
{
    IrVar *place = build_counter(m->b, "_place");
    IrStmt *each =
        build_for(m->b, place, ir_axis(m->b->arena, INTR_grid, 0, m->b->span), m->threads, 1, 0);
    each->for_.step = ir_axis(m->b->arena, INTR_gridsize, 0, m->b->span);
    each->for_.body = kernel;
    ir_put_indices(m->b->arena, &kernel, (IrVar *[]){ place, NULL, NULL }, NULL);
    ir_append(out, each);
}

static IrValue *is_full(const TransposeBuild *m, const IrVar *length)
{
    return build_op(m->b, OP_ge, build_var(m->b, length), build_int(m->b, m->side));
}

/* `all`, and that what a product is of are numbers from 1 to as many as there are threads. */
static IrValue *with_factors(const TransposeBuild *m, IrValue *all, const IrValue *product)
{
    for (int i = 0; i < 2 && product->op == OP_mul; i++) {
        const IrValue *factor = product->operands[i];
        IrValue *least = build_op(m->b, OP_ge, build_copy(m->b, factor), 1);
        IrValue *most = build_op(m->b, OP_le, build_copy(m->b, factor), m->threads);
        all = with_factors(m, ir_both(m->b->arena, ir_both(m->b->arena, all, least), most), factor);
    }
    return all;
}

/* Lines of SHORT threads or more, as many or more, and one of both longer than a tile's side; no
** longer than all threads together, so that their products do not overflow. */
static IrValue *are_long(const TransposeBuild *m)
{
    IrValue *all = with_factors(m, NULL, m->t->line);
    const IrVar *both[] = { m->line, m->lines };
    for (int i = 0; i < 2; i++) {
        all = ir_both(m->b->arena, all, build_op(m->b, OP_ge, both[i], SHORT));
        all = ir_both(m->b->arena, all, build_op(m->b, OP_le, both[i], m->threads));
    }
    IrValue *one = build_op(m->b, OP_or_else, is_full(m, m->line), is_full(m, m->lines));
    return ir_both(m->b->arena, all, one);
}

static IrVar *let_signed(const TransposeBuild *m, const char *name, IrValue *value, IrRegion *out)
{
    IrVar *made = build_temporary(m->b, name, type_int64);
    build_set(m->b, made, value, out);
    return made;
}

static void set_shape(IrUnit *unit, int count)
{
    ir_shape_blocks(unit, BLOCK);
    unit->shape.tile[0] = (uint32_t)count;
    unit->shape.stay = BLOCKS_STAY;
}

static TransposeBuild begin(Transpose *t)
{
    bool pays;
    IrVar *threads = ir_hidden(t->unit, HIDDEN_THREADS, 0); /* which gives variables new numbers */
    transpose_find(t, &pays);
    int bytes = (int)type_size(t->element), word = bytes < 4 ? 4 / bytes : 1;
    TransposeBuild m = { .b = { { t->unit->arena, t->unit->kernel, t->stmt->span } },
                         .t = t,
                         .threads = threads,
                         .word = word,
                         .side = word > 1 ? SIDE_BYTES : SIDE };
    m.count = m.side * m.side / BLOCK;
    m.near = ir_array_var(m.b->arena, m.b->fn, "near", t->element, VAR_SHARED,
                          (int64_t[]){ room_for(m.side, word) }, 1, m.b->span);
    m.held = ir_array_var(m.b->arena, m.b->fn, "held", t->element, VAR_PRIVATE,
                          (int64_t[]){ m.count }, 1, m.b->span);
    return m;
}

void transpose_make(Transpose *t)
{
    IrUnit *unit = t->unit;
    IrRegion body = { NULL, NULL };
    TransposeBuild m = begin(t);
    IrVar *some = let_positive(&m, "_some", build_copy(m.b, t->line), &body);
    IrVar *all = let_times(&m, "_all", m.threads, some, &body);
    m.line = let_signed(&m, "_line", t->line, &body);
    IrValue *lines = t->lines ? build_min(m.b, t->lines, all) : build_var(m.b, all);
    m.lines = let_signed(&m, "_lines", lines, &body);
    IrStmt *which = ir_if(unit->arena, are_long(&m), m.b->span);
    ir_append(&body, which);
    IrValue *full = build_op(m.b, OP_and_then, is_full(&m, m.line), is_full(&m, m.lines));
    IrStmt *sides = ir_if(unit->arena, full, m.b->span);
    ir_append(&which->if_.then, sides);
    append_tiles(&m, all, true, &sides->if_.then);
    append_tiles(&m, all, false, &sides->if_.otherwise);
    append_plain(&m, unit->kernel->body, &which->if_.otherwise);
    unit->kernel->body = body;
    set_shape(unit, m.count);
}
