/* For the processor: what one name holds for a while, and something else later, becomes variables
** of their own:
**
**     for dy in thread_idx(1) to 18 by 16         for dy in thread_idx(1) to 18 by 16
**         y = first + dy                              y = first + dy
**         store tile[dy, 0] = a[y]                    store tile[dy, 0] = a[y]
**     y = base + thread_idx(1)           becomes  y.2 = base + thread_idx(1)
**     if y < n                                    if y.2 < n
**         ...                                         ...
**
** The pass tiles takes a variable that one statement sets for what that sets it to. Kernels with
** arrays of a thread's own, which it leaves, stay as they are.
**
** A set holds for what follows it in its region, down to the next set there; so does a branch of
** which both arms set the variable. A read gets what the innermost of these that holds for it has
** set, or what sets between them in regions further inside have, if they come before it, or a loop
** that stands inside of the former may come to them before it. Sets that one read may get are of
** one variable. A variable stays as it is if some read has no such set, or a loop counts in it. */
#include "ir/analysis/flow/sets.h"
#include "ir/optimise.h"

/* What some sets of a variable have in common. */
typedef struct Web {
    struct Web *same;        /* the one that it is part of; NULL: it is one itself */
    struct WebList *pending; /* sets further inside, which the next read may get */
    int read;                /* when it was read last, by Webs.now */
    IrVar *var;              /* what it becomes */
} Web;

typedef struct WebList {
    Web *web;
    struct WebList *next;
} WebList;

/* Which set of a variable holds, in a region, and around it. */
typedef struct Holding {
    Web *web;
    const IrRegion *region;
    struct Holding *outer;
} Holding;

typedef struct WebMention {
    IrVar **slot; /* in a set or a value, which statements may share */
    IrVar *var;   /* what is there before the pass */
    Web *web;
} WebMention;

typedef struct Webs {
    Arena *arena;
    IrFunc *fn;
    int count;         /* of the function's variables */
    bool *stays;       /* by IrVar.id */
    Holding **holding; /* likewise; NULL: nothing does */
    WebMention *mentions;
    int mention_count, mention_capacity;
    int now;
} Webs;

static Web *root(Web *web)
{
    while (web->same)
        web = web->same;
    return web;
}

static void unite(Web *a, Web *b)
{
    a = root(a);
    b = root(b);
    if (a != b)
        b->same = a;
}

static void unite_pending(Web *web)
{
    for (const WebList *item = web->pending; item; item = item->next)
        unite(web, item->web);
    web->pending = NULL;
}

static void note(Webs *w, IrVar **slot, Web *web)
{
    array_push(w->arena, w->mentions, w->mention_count, w->mention_capacity) =
        (WebMention){ slot, *slot, web };
}

static void read_node(void *context, IrValue *value)
{
    Webs *w = context;
    if (value->op != OP_var || value->var->id >= w->count || w->stays[value->var->id])
        return;
    Holding *holding = w->holding[value->var->id];
    if (!holding) {
        w->stays[value->var->id] = true;
        return;
    }
    holding->web->read = ++w->now;
    unite_pending(holding->web);
    note(w, &value->var, holding->web);
}

/* From here on, in the region, a variable holds what is of that web. */
static void hold(Webs *w, const IrVar *var, Web *web, const IrRegion *region)
{
    Holding *top = w->holding[var->id];
    if (top && top->region == region) {
        top->web = web;
    } else {
        Holding *inner = arena_new(w->arena, Holding);
        *inner = (Holding){ web, region, top };
        w->holding[var->id] = top = inner;
    }
    for (Holding *outer = top->outer; outer; outer = outer->outer) {
        WebList *item = arena_new(w->arena, WebList);
        *item = (WebList){ web, outer->web->pending };
        outer->web->pending = item;
    }
}

static void walk_region(Webs *w, const IrRegion *region);

/* Forgets what holds in a region that ends; `left`, unless NULL: by IrVar.id, what that was. */
static void leave(Webs *w, const IrRegion *region, Web **left)
{
    for (int i = 0; i < w->count; i++) {
        Holding *top = w->holding[i];
        if (!top || top->region != region)
            continue;
        if (left)
            left[i] = top->web;
        w->holding[i] = top->outer;
    }
}

static void walk_branch(Webs *w, IrStmt *stmt, const IrRegion *region)
{
    Web **left[2];
    const IrRegion *arms[] = { &stmt->if_.then, &stmt->if_.otherwise };
    for (int i = 0; i < 2; i++) {
        left[i] = arena_array(w->arena, Web *, w->count + 1);
        walk_region(w, arms[i]);
        leave(w, arms[i], left[i]);
    }
    for (int i = 0; i < w->count; i++) {
        if (!left[0][i] || !left[1][i])
            continue;
        Web *web = arena_new(w->arena, Web);
        for (int k = 0; k < 2; k++) {
            unite(web, left[k][i]);
            unite_pending(left[k][i]);
        }
        hold(w, w->fn->vars[i], web, region);
    }
}

/* A read at the begin of an iteration may get what is set at the end of the one before. */
static void walk_loop(Webs *w, const IrRegion *body, int begin)
{
    walk_region(w, body);
    leave(w, body, NULL);
    for (int i = 0; i < w->count; i++)
        for (Holding *top = w->holding[i]; top; top = top->outer)
            if (top->web->read > begin)
                unite_pending(top->web);
}

static void walk_stmt(Webs *w, IrStmt *stmt, const IrRegion *region)
{
    int begin = w->now;
    ir_each_own_node(stmt, read_node, w);
    if (stmt->kind == IR_SET && !w->stays[stmt->set.var->id]) {
        Web *web = arena_new(w->arena, Web);
        note(w, &stmt->set.var, web);
        hold(w, stmt->set.var, web, region);
    } else if (stmt->kind == IR_IF) {
        walk_branch(w, stmt, region);
    } else if (ir_is_loop(stmt)) {
        walk_loop(w, ir_loop_body(stmt), begin);
    }
}

static void walk_region(Webs *w, const IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        walk_stmt(w, stmt, region);
}

static void count_set(void *context, IrStmt *stmt)
{
    Webs *w = context;
    if (stmt->kind == IR_FOR)
        w->stays[stmt->for_.var->id] = true;
}

/* Which variables are looked at: numbers of the thread's that several statements set. */
static bool choose(Webs *w)
{
    const IrSets sets = ir_sets(w->arena, w->fn, &w->fn->body);
    bool any = false;
    for (int i = 0; i < w->count; i++) {
        const IrVar *var = w->fn->vars[i];
        w->stays[i] = var->kind != VAR_LOCAL || !type_is_scalar(var->type) || sets.count[i] < 2;
        any |= !w->stays[i];
    }
    if (any)
        ir_each_stmt(&w->fn->body, count_set, w);
    return any;
}

static int compare_slots(const void *a, const void *b)
{
    uintptr_t one = (uintptr_t)((const WebMention *)a)->slot;
    uintptr_t other = (uintptr_t)((const WebMention *)b)->slot;
    return (one > other) - (one < other);
}

/* A value that several statements share reads one variable. */
static void unite_shared(Webs *w)
{
    WebMention *list = arena_array(w->arena, WebMention, w->mention_count + 1);
    for (int i = 0; i < w->mention_count; i++)
        list[i] = w->mentions[i];
    qsort(list, w->mention_count, sizeof *list, compare_slots);
    for (int i = 1; i < w->mention_count; i++)
        if (list[i].slot == list[i - 1].slot)
            unite(list[i].web, list[i - 1].web);
}

/* The first web of a variable keeps it. */
static void rename_all(Webs *w)
{
    bool *taken = arena_array(w->arena, bool, w->count + 1);
    for (int i = 0; i < w->mention_count; i++) {
        const WebMention *m = &w->mentions[i];
        IrVar *var = m->var;
        Web *web = root(m->web);
        if (w->stays[var->id])
            continue;
        if (!web->var)
            web->var = taken[var->id] ? ir_var_like(w->arena, w->fn, var, var->name) : var;
        taken[var->id] = true;
        *m->slot = web->var;
    }
}

void ir_webs(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Webs w = { .arena = unit->arena, .fn = fn, .count = fn->var_count };
    w.stays = arena_array(w.arena, bool, w.count + 1);
    if (!unit->processor || ir_has_kind(fn, VAR_PRIVATE) || !choose(&w))
        return;
    w.holding = arena_array(w.arena, Holding *, w.count + 1);
    walk_region(&w, &fn->body);
    unite_shared(&w);
    rename_all(&w);
}
