/* Where variables are declared: where they are first set, if everything that reads them lies behind
** in that block, as a person would write it; else at the head of the smallest block around all
** their uses, or in front of the loop that carries them from iteration to iteration. */
#include "codegen/emit/emit.h"

/* A region on the way down from the function's body. */
typedef struct Level {
    const struct Level *outer;
    const IrRegion *region;
    const IrStmt *owner; /* the statement it belongs to, NULL for the body */
    int depth;
} Level;

/* What is known of one variable so far. */
typedef struct Use {
    const Level *home;     /* the smallest region around all its uses, NULL: none seen */
    const IrStmt *first;   /* in `home`, the first statement that has to do with it */
    const IrStmt *counter; /* the only IR_FOR that sets it, if nothing else does */
} Use;

typedef struct UseWalk {
    Emitter *e;
    Use *uses;
    const Level *level;
    const IrStmt *stmt;
} UseWalk;

/* The statement of `outer` that `level`, inside it or itself, is a part of; `stmt` if itself. */
static const IrStmt *ancestor(const Level *level, const Level *outer, const IrStmt *stmt)
{
    for (; level != outer; level = level->outer)
        stmt = level->owner;
    return stmt;
}

static const Level *common(const Level *a, const Level *b)
{
    while (a != b) {
        if (a->depth >= b->depth)
            a = a->outer;
        else
            b = b->outer;
    }
    return a;
}

/* Notes that `stmt` of `level` sets or reads `var`. */
static void note(UseWalk *walk, const IrVar *var, const Level *level, const IrStmt *stmt)
{
    Use *use = &walk->uses[var->id];
    const Level *home;

    if (!use->home) {
        use->home = level;
        use->first = stmt;
        return;
    }
    home = common(use->home, level);
    use->first = ancestor(use->home, home, use->first);
    use->home = home;
}

static void note_value(UseWalk *walk, const IrValue *value)
{
    if (value->op == OP_var)
        note(walk, value->var, walk->level, walk->stmt);
    for (int i = 0; i < value->count; i++)
        note_value(walk, value->operands[i]);
}

static void walk_region(UseWalk *walk, const IrRegion *region, const IrStmt *owner);

static void walk_stmt(UseWalk *walk, const IrStmt *stmt)
{
    walk->stmt = stmt;
    for_each_value (value, stmt)
        note_value(walk, value);
    if (stmt->kind == IR_SET)
        note(walk, stmt->set.var, walk->level, stmt);
    for_each_region (inner, stmt)
        walk_region(walk, inner, stmt);
}

static void walk_region(UseWalk *walk, const IrRegion *region, const IrStmt *owner)
{
    Level *level = arena_new(walk->e->arena, Level);
    const Level *outer = walk->level;

    *level = (Level){ outer, region, owner, outer ? outer->depth + 1 : 0 };
    walk->level = level;
    if (owner && owner->kind == IR_FOR) {
        Use *use = &walk->uses[owner->for_.var->id];
        use->counter = use->home ? NULL : owner;
        note(walk, owner->for_.var, level, owner);
    }
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        walk_stmt(walk, stmt);
    walk->level = outer;
}

/* ---- reading before setting ------------------------------------------------------------- */

/* A search for a path on which `var` is read unset. */
typedef struct UnsetSearch {
    const IrVar *var;
    bool set, bad;
} UnsetSearch;

static void search_stmts(UnsetSearch *search, const IrStmt *first);

/* Goes through a loop's body, of which nothing is known behind the loop. */
static void search_loop(UnsetSearch *search, const IrStmt *first, bool counts)
{
    bool before = search->set;

    search->set = before || counts;
    search_stmts(search, first);
    search->set = before;
}

static void search_stmt(UnsetSearch *search, const IrStmt *stmt)
{
    bool before, then;

    for_each_value (value, stmt)
        search->bad |= !search->set && ir_mentions(value, search->var);
    switch (stmt->kind) {
    case IR_SET:
        search->set = search->set || stmt->set.var == search->var;
        return;
    case IR_IF:
        before = search->set;
        search_stmts(search, stmt->if_.then.first);
        then = search->set;
        search->set = before;
        search_stmts(search, stmt->if_.otherwise.first);
        search->set = search->set && then;
        return;
    case IR_WHILE:
        search_loop(search, stmt->while_.body.first, false);
        return;
    case IR_FOR:
        search_loop(search, stmt->for_.body.first, stmt->for_.var == search->var);
        return;
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_FAULT:
    case IR_STOP:
        search->set = true; /* nothing comes after */
        return;
    case IR_STORE:
    case IR_EVAL:
    case IR_PRINT:
        return;
    }
}

static void search_stmts(UnsetSearch *search, const IrStmt *first)
{
    for (const IrStmt *stmt = first; stmt && !search->bad; stmt = stmt->next)
        search_stmt(search, stmt);
}

/* ---- decisions --------------------------------------------------------------------------- */

/* Whether declarations may move out of a loop: not where C's thread loops are split. */
static bool may_leave(const Emitter *e, const IrStmt *loop)
{
    if (!ir_is_loop(loop))
        return true;
    return e->dialect != DIALECT_C || !(ir_stmt_effects(loop) & EFFECT_MEETS);
}

/* The outermost loop around `level` that a variable may be declared in front of; `*home` becomes
** the region it stands in. `stmt` if there is none. */
static const IrStmt *outermost_loop(const Emitter *e, const Level *level, const IrStmt *stmt,
                                    const Level **home)
{
    const IrStmt *found = stmt;

    *home = level;
    for (; level->owner && may_leave(e, level->owner); level = level->outer) {
        if (level->owner->kind != IR_IF) {
            found = level->owner;
            *home = level->outer;
        }
    }
    return found;
}

/* Whether the variable's first statement sets it before anything reads it. */
static bool sets_first(const Use *use, const IrVar *var)
{
    if (use->first->kind == IR_SET)
        return use->first->set.var == var && !ir_mentions(use->first->set.value, var);
    return use->first->kind == IR_FOR && use->counter == use->first &&
           use->home->owner == use->first;
}

static void decide(Emitter *e, const Use *use, const IrVar *var)
{
    VarInfo *info = &e->vars[var->id];
    UnsetSearch search = { .var = var };
    const Level *home;

    info->declare = NULL;
    info->own = info->init = false;
    if (!use->home || info->storage != STORAGE_PLAIN || var->kind != VAR_LOCAL)
        return;
    info->declare = use->first;
    info->own = sets_first(use, var);
    if (info->own)
        return;
    search_stmts(&search, use->first);
    if (!search.bad)
        return;
    info->declare = outermost_loop(e, use->home, use->first, &home);
    info->init = true;
}

static int by_statement(const void *left, const void *right)
{
    const Declared *a = left, *b = right;

    if (a->stmt != b->stmt)
        return (uintptr_t)a->stmt < (uintptr_t)b->stmt ? -1 : 1;
    return (a->var > b->var) - (a->var < b->var);
}

/* The variables that stand in front of statements, in an order to search: a long function has many
** of both. The last entry belongs to no statement. */
static void list_declared(Emitter *e)
{
    e->declared = arena_array(e->arena, Declared, e->fn->var_count + 1);
    e->declared_count = 0;
    for (int i = 0; i < e->fn->var_count; i++)
        if (e->vars[i].declare && !e->vars[i].own)
            e->declared[e->declared_count++] = (Declared){ e->vars[i].declare, i };
    if (e->declared_count > 1)
        qsort(e->declared, (size_t)e->declared_count, sizeof *e->declared, by_statement);
    e->declared[e->declared_count] = (Declared){ NULL, 0 };
}

const Declared *emit_declared_before(const Emitter *e, const IrStmt *stmt)
{
    int low = 0, high = e->declared_count;

    while (low < high) {
        int middle = (low + high) / 2;
        if ((uintptr_t)e->declared[middle].stmt < (uintptr_t)stmt)
            low = middle + 1;
        else
            high = middle;
    }
    return &e->declared[low];
}

void emit_place_variables(Emitter *e)
{
    UseWalk walk = { .e = e, .uses = arena_array(e->arena, Use, e->fn->var_count) };

    walk_region(&walk, &e->fn->body, NULL);
    for (int i = 0; i < e->fn->var_count; i++)
        decide(e, &walk.uses[i], e->fn->vars[i]);
    list_declared(e);
}

bool declares(const Emitter *e, const IrStmt *stmt)
{
    const IrVar *var = ir_set_var(stmt);

    return var && e->vars[var->id].declare == stmt && e->vars[var->id].own &&
           e->vars[var->id].storage == STORAGE_PLAIN;
}
