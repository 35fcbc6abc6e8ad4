/* What comes of a change: the names that hold what has changed stand for nothing that kernels can
** use from there on, unless running the statement tells what a name then is. */
#include "ir/names/change/follow.h"

static const char in_place[] = "is changed in place, by a statement that kjit cannot run: write "
                               "its value at once";
static const char by_text[] =
    "may be changed by exec() or eval(), which kjit cannot run: write out "
    "what the text says";
static const char by_function[] = "is changed by a function that kjit cannot run: write its "
                                  "value at once";

/* Whether a name stands for something, if it is bound at all. */
static bool is_known(const Symbol *symbol)
{
    return !symbol || symbol->kind != SYMBOL_UNKNOWN || symbol->unknown.by;
}

static Symbol *symbol_of(const Slot *slot)
{
    return table_get(&slot->names->module->symbols, slot->name);
}

/* Whether a name holds one of the things that `mark` has seen. */
static bool holds_seen(const Set *set, const void *mark)
{
    for (int i = 0; i < set->count; i++)
        if (set->items[i].thing->seen == mark)
            return true;
    return false;
}

/* Whether running the statement binds a name, which held none of what changes before. */
static bool is_bound_by(const Trace *trace, const Slot *slot, const void *mark)
{
    const Symbol *symbol = symbol_of(slot);
    const Set *before = slot->at == trace->stmt ? &slot->before : &slot->set;
    bool runs = symbol->kind == SYMBOL_UNKNOWN && symbol->unknown.by == trace->r->running;
    return slot == trace->bound || (runs && !holds_seen(before, mark));
}

/* ---- what holds a thing ---------------------------------------------------------------------- */

typedef struct Holders {
    Trace *trace;
    const void *mark;
    Thing **things; /* the first one is what changes */
    int thing_count, thing_capacity;
    Slot **slots;
    int count, capacity;
    bool twice; /* a thing is held in two places of another */
} Holders;

static void meet(Holders *holders, Thing *thing)
{
    if (thing->seen == holders->mark)
        return;
    thing->seen = holders->mark;
    array_push(holders->trace->r->arena, holders->things, holders->thing_count,
               holders->thing_capacity) = thing;
}

/* Whether one of a function's defaults changes. */
static bool has_changed(const Symbol *symbol, const Set *set, const void *mark)
{
    const AstFunction *ast = symbol->function->ast;
    for (int i = 0; i < set->count; i++) {
        const Thing *thing = set->items[i].thing;
        for (int k = 0; thing->function == ast && thing->defaults && k < ast->params.count; k++)
            if (holds_seen(&thing->defaults[k], mark))
                return true;
    }
    return false;
}

static void add_slot(Holders *holders, Slot *slot)
{
    const Symbol *symbol = symbol_of(slot);
    if (!symbol || !holds_seen(&slot->set, holders->mark) ||
        (symbol->kind == SYMBOL_FUNCTION && !has_changed(symbol, &slot->set, holders->mark)) ||
        is_bound_by(holders->trace, slot, holders->mark))
        return;
    for (int i = 0; i < holders->count; i++)
        if (holders->slots[i] == slot)
            return;
    array_push(holders->trace->r->arena, holders->slots, holders->count, holders->capacity) = slot;
}

/* Everything that holds one of some things, of which the first `own` change themselves. A class or
** module does not change with what its names hold, but objects of the class do. */
static void find_holders(Holders *holders, int own)
{
    for (int i = 0; i < holders->thing_count; i++) {
        const Thing *thing = holders->things[i];
        bool space = thing->kind == THING_SPACE && i >= own;
        holders->twice |= thing->twice && i >= own;
        for (int k = 0; k < thing->owner_count; k++)
            if (!space || thing->owners[k]->kind == THING_OBJECT)
                meet(holders, thing->owners[k]);
    }
    for (int i = 0; i < holders->thing_count; i++) {
        const Thing *thing = holders->things[i];
        for (int k = 0; k < thing->slot_count && (thing->kind != THING_SPACE || i < own); k++)
            add_slot(holders, thing->slots[k]);
        holders->trace->looked += 1 + (size_t)thing->owner_count + (size_t)thing->slot_count;
    }
}

/* ---- what becomes of names ------------------------------------------------------------------- */

typedef enum Fate { FATE_UNKNOWN, FATE_LOST, FATE_RUN } Fate;

static void make_unknown(const Trace *trace, const Slot *slot, const char *reason, Fate fate)
{
    Resolver inside = *trace->r;
    inside.module = slot->names->module;
    if (fate == FATE_UNKNOWN)
        scope_define_unknown(&inside, slot->name, trace->span, reason);
    else
        scope_define_run(&inside, slot->name, trace->span, reason)->unknown.lost =
            fate == FATE_LOST;
}

typedef struct Mention {
    const char *name;
    bool found;
} Mention;

static void look_for_mention(void *context, const AstExpr *expr)
{
    Mention *mention = context;
    mention->found = mention->found || ast_mentions(expr, mention->name);
}

static bool mentions(const AstStmt *stmt, const char *name)
{
    Mention mention = { name, false };
    const AstBody *inner;
    ast_each_value(stmt, look_for_mention, &mention);
    ast_each_target(stmt, look_for_mention, &mention);
    for (int k = 0; !mention.found && (inner = ast_body(stmt, k)); k++)
        for (int i = 0; i < inner->count && !mention.found; i++)
            mention.found = mentions(inner->items[i], name);
    return mention.found;
}

/* The one of some names that running the statement tells of: the only one, or the only one in its
** text, where what looks at the others cannot be run. NULL: there is none such. */
static const Slot *slot_to_run(const Holders *holders)
{
    const Trace *trace = holders->trace;
    const Slot *to_run = NULL;
    bool runs = trace->r->running && !trace->bound && !trace->lost && !holders->twice;
    for (int i = 0; i < holders->count && runs; i++) {
        const Slot *slot = holders->slots[i];
        runs = slot->names->module == trace->r->module;
        if (holders->count > 1 && !mentions(trace->r->running, slot->name))
            continue;
        runs &= !to_run && (holders->count == 1 || set_holds(&slot->set, holders->things[0]));
        to_run = slot;
    }
    return runs ? to_run : NULL;
}

static void mark_slots(Frame *f, const Holders *holders)
{
    const Resolver *r = f->trace->r;
    const char *reason = f->trace->by_text ? by_text : f->function ? by_function : in_place;
    const Slot *to_run = slot_to_run(holders);
    for (int i = 0; i < holders->count; i++) {
        const Slot *slot = holders->slots[i];
        Fate fate = slot == to_run ? FATE_RUN : to_run ? FATE_LOST : FATE_UNKNOWN;
        const Symbol *symbol = symbol_of(slot);
        bool by_this = r->running && symbol && symbol->kind == SYMBOL_UNKNOWN &&
                       symbol->unknown.by == r->running;
        bool same = by_this && (fate == FATE_RUN || symbol->unknown.lost);
        if (is_known(symbol) && (fate == FATE_UNKNOWN || !same))
            make_unknown(f->trace, slot, reason, fate);
    }
}

/* What is built in cannot. */
static bool can_change(const Thing *thing)
{
    return thing->kind != THING_TUPLE && thing->kind != THING_FUNCTION &&
           (thing->kind != THING_FOREIGN || !thing->path);
}

void change_things(Frame *f, Set set)
{
    for (int i = 0; i < set.count && !f->trace->over; i++) {
        Thing *thing = set.items[i].thing;
        Holders holders = { .trace = f->trace, .mark = arena_new(f->trace->r->arena, char) };
        if (!can_change(thing) || f->trace->quiet)
            continue;
        meet(&holders, thing);
        Set inside = { 0 };
        if (thing->kind == THING_FOREIGN)
            inside = set_reach(f->trace->r->arena, thing->items);
        for (int k = 0; k < inside.count; k++)
            if (inside.items[k].thing->kind == THING_ARRAY)
                meet(&holders, inside.items[k].thing);
        find_holders(&holders, holders.thing_count);
        mark_slots(f, &holders);
    }
}

void change_unseen(Frame *f, Set set)
{
    bool lost = f->trace->lost;
    f->trace->lost = true;
    change_things(f, set);
    f->trace->lost = lost;
}

/* A class's attribute is its objects', too. */
void change_slot(Frame *f, Slot *slot)
{
    Thing *space = slot->names->thing;
    Holders holders = { .trace = f->trace, .mark = arena_new(f->trace->r->arena, char) };
    if (f->trace->quiet)
        return;
    meet(&holders, space);
    if (slot->names->module)
        array_push(f->trace->r->arena, holders.slots, holders.count, holders.capacity) = slot;
    find_holders(&holders, 0);
    mark_slots(f, &holders);
}

/* Whether a text may be a name: f"axis_{i}" by how it begins and ends. */
static bool may_give(const AstExpr *key, const char *name)
{
    const AstExprs *parts = &key->list.items;
    size_t length = strlen(name);
    if (key->kind == AST_STRING)
        return strcmp(key->string.text, name) == 0;
    if (key->kind != AST_FSTRING || !parts->count)
        return true;
    const AstExpr *first = parts->items[0], *last = parts->items[parts->count - 1];
    size_t begin = first->kind == AST_STRING ? strlen(first->string.text) : 0;
    size_t end = last->kind == AST_STRING ? strlen(last->string.text) : 0;
    return begin <= length && end <= length &&
           (!begin || strncmp(name, first->string.text, begin) == 0) &&
           (!end || strcmp(name + length - end, last->string.text) == 0);
}

void change_names(Frame *f, const HeapNames *names, const AstExpr *key)
{
    TableSlot *slots = names->slots.slots;
    const size_t count = names->slots.capacity;
    for (size_t i = 0; i < count && slots == names->slots.slots; i++)
        if (slots[i].name && (!key || may_give(key, slots[i].name))) {
            change_things(f, ((Slot *)slots[i].value)->set);
            change_slot(f, slots[i].value);
        }
}

static void mark_names(Frame *f, const HeapNames *names, int depth)
{
    enum { DEEPEST = 4 };
    for (size_t i = 0; i < names->slots.capacity && depth < DEEPEST; i++) {
        const Slot *slot = names->slots.slots[i].name ? names->slots.slots[i].value : NULL;
        Set held = slot ? set_reach(f->trace->r->arena, slot->set) : (Set){ 0 };
        bool changes = false;
        for (int k = 0; k < held.count; k++) {
            const Thing *thing = held.items[k].thing;
            changes |= can_change(thing) && thing->kind != THING_SPACE;
            if (thing->kind == THING_SPACE && thing->names && thing->names->module)
                mark_names(f, thing->names, depth + 1);
        }
        const Symbol *symbol = changes && slot->names->module ? symbol_of(slot) : NULL;
        if (symbol && is_known(symbol) && symbol->kind != SYMBOL_BUILTIN &&
            symbol->kind != SYMBOL_FUNCTION && symbol->kind != SYMBOL_MODULE)
            make_unknown(f->trace, slot, by_function, FATE_UNKNOWN);
    }
}

void change_all(Frame *f)
{
    for (const HeapNames *names = f->names; names; names = names->outer)
        mark_names(f, names, 0);
}
