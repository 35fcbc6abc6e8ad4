/* Statements: what names come to hold, and what is stored where. Branches may run or not; loops are
** followed until nothing is added any more. */
#include "ir/names/change/follow.h"

enum { ROUNDS_MAX = 20, KEPT_MAX = 16 }; /* over a loop: each adds something; names of a target */

HeapNames *names_of_file(const Frame *f)
{
    return names_of_module(scope_file(f->trace->r->module));
}

/* ---- names ----------------------------------------------------------------------------------- */

static void put(Frame *f, Slot *slot, Set set)
{
    const Set before = slot->set;
    if (slot_put(arena_of(f), slot, set, f->weak > 0, f->trace->stmt))
        f->grown++;
    if (slot->names->thing && !set_equals(before, slot->set))
        f->trace->rebound++;
}

void follow_name(Frame *f, const char *name, Set set)
{
    Slot *elsewhere = table_get(&f->globals, name);
    if (!elsewhere) {
        put(f, names_slot(arena_of(f), f->names, name), set);
        return;
    }
    if (slot_put(arena_of(f), elsewhere, set, true, f->trace->stmt))
        f->trace->grown++;
    if (elsewhere->names->module)
        change_slot(f, elsewhere);
}

/* `global` and `nonlocal`: the names of the module, or of the call around. */
static void follow_global(Frame *f, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->global.names.count; i++) {
        const char *name = stmt->global.names.items[i]->name.name;
        HeapNames *names = f->names->outer;
        while (names && names->outer &&
               (stmt->kind == AST_GLOBAL || !table_get(&names->slots, name)))
            names = names->outer;
        if (names && f->names->module) /* in a class, whose statements are followed one by one */
            change_slot(f, names_slot(arena_of(f), names, name));
        else if (names)
            table_put(&f->globals, name, names_slot(arena_of(f), names, name));
    }
}

/* ---- targets --------------------------------------------------------------------------------- */

/* Item `i` of `count`, as a target takes it. */
static Set unpacked(Frame *f, const AstExpr *target, Set value, int i, int count)
{
    Set item = { 0 };
    for (int k = 0; k < value.count; k++) {
        const Thing *thing = value.items[k].thing;
        join(f, &item,
             thing->kind == THING_TUPLE && thing->at && thing->count == count
                 ? thing->at[i]
                 : held_items(f, target, (Set){ &value.items[k], 1, 1 }));
    }
    return item;
}

static void follow_targets(Frame *f, const AstExprs *targets, Set value)
{
    bool star = false;
    for (int i = 0; i < targets->count; i++)
        star |= targets->items[i]->kind == AST_STARRED;
    for (int i = 0; i < targets->count; i++) {
        const AstExpr *target = targets->items[i];
        Set item = unpacked(f, target, value, i, star ? -1 : targets->count);
        if (target->kind == AST_STARRED)
            follow_target(f, target->starred.value, held_made(f, target, "rest", THING_LIST, item));
        else
            follow_target(f, target, item);
    }
}

/* Gives an attribute of a thing a value. */
static void store_attribute(Frame *f, const AstExpr *site, Thing *thing, const char *name,
                            Set value)
{
    Slot *member = thing->kind == THING_OBJECT ? class_slot(thing, name) : NULL;
    Set self = set_of(arena_of(f), thing, 0);
    if (thing->kind == THING_SPACE) {
        Slot *slot = names_slot(arena_of(f), thing->names, name);
        if (slot_put(arena_of(f), slot, value, true, f->trace->stmt))
            f->trace->grown++;
        change_slot(f, slot);
        return;
    }
    call_method(f, site, self, "__setattr__", value);
    if (member && set_has(member->set, THING_FUNCTION)) /* a property */
        call_method(f, site, self, name, value);
    if (thing->names && slot_put(arena_of(f), names_slot(arena_of(f), thing->names, name), value,
                                 true, f->trace->stmt))
        f->trace->grown++;
    if (!thing->names && thing->kind != THING_ARRAY)
        held_hold(f, thing, value);
    change_things(f, self);
}

/* Gives an element of a thing a value. */
static void store_element(Frame *f, const AstExpr *target, Thing *thing, Set index, Set value)
{
    const AstExpr *at = target->index.index;
    Set self = set_of(arena_of(f), thing, 0);
    if (at->kind == AST_STRING && (thing->kind == THING_SPACE || thing->kind == THING_OBJECT)) {
        store_attribute(f, target, thing, at->string.text, value); /* vars(x)["a"] */
        return;
    }
    call_method(f, target, self, "__setitem__", value);
    if (thing->kind == THING_SPACE && !thing->class_) /* globals()[name] = x */
        change_names(f, thing->names, at);
    if (thing->kind != THING_ARRAY && thing->kind != THING_SPACE)
        held_store(f, thing, at, value);
    if (at->kind == AST_SLICE && thing->kind == THING_LIST)
        held_hold(f, thing, held_items(f, target, value));
    if (thing->kind == THING_DICT && thing_hold(arena_of(f), thing, &thing->keys, index))
        f->trace->grown++;
    change_things(f, self);
}

static void store(Frame *f, const AstExpr *target, Set value)
{
    bool element = target->kind == AST_INDEX;
    Set objects = follow_value(f, element ? target->index.object : target->attribute.object);
    Set index = { 0 };
    if (element)
        index = follow_value(f, target->index.index);
    if (!f->function)
        f->trace->span = target->span;
    for (int i = 0; i < objects.count; i++)
        if (element)
            store_element(f, target, objects.items[i].thing, index, value);
        else
            store_attribute(f, target, objects.items[i].thing, target->attribute.name, value);
}

void follow_target(Frame *f, const AstExpr *target, Set value)
{
    if (target->kind == AST_NAME)
        follow_name(f, target->name.name, value);
    else if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        follow_targets(f, &target->list.items, value);
    else if (target->kind == AST_STARRED)
        follow_target(f, target->starred.value, value);
    else if (target->kind == AST_INDEX || target->kind == AST_ATTRIBUTE)
        store(f, target, value);
}

/* Changes in place what can be: arrays and lists; tuples and numbers are made anew. */
static void follow_augmented(Frame *f, const AstStmt *stmt)
{
    const AstExpr *target = stmt->aug_assign.target;
    Set old = follow_value(f, target), more = follow_value(f, stmt->aug_assign.value),
        result = { 0 };
    Set anew = held_computed(f, target, old, more);
    if (!f->function)
        f->trace->span = target->span;
    if (target->kind == AST_NAME && f->names->module && f->trace->stmt == stmt)
        f->trace->bound = names_slot(arena_of(f), f->names, target->name.name);
    for (int i = 0; i < old.count; i++) {
        Thing *thing = old.items[i].thing;
        if (thing->kind == THING_LIST || thing->kind == THING_DICT)
            held_hold(f, thing, held_items(f, target, more));
        if (thing->kind != THING_TUPLE)
            set_add(arena_of(f), &result, old.items[i]);
    }
    change_things(f, old);
    for (int i = 0; i < old.count; i++)
        if (old.items[i].thing->kind == THING_SPACE && !old.items[i].thing->class_)
            change_names(f, old.items[i].thing->names, NULL);
    const char *special = held_special(stmt->aug_assign.op);
    if (special)
        join(f, &result,
             call_method(f, target, old, arena_printf(arena_of(f), "__i%s", special + 2), more));
    if (!result.count || set_has(old, THING_TUPLE) || set_has(old, THING_OBJECT))
        join(f, &result, anew);
    follow_target(f, target, result);
}

static void follow_deleted(Frame *f, const AstExpr *target)
{
    if (target->kind == AST_NAME)
        follow_value(f, target);
    if (target->kind == AST_NAME && !f->weak)
        follow_name(f, target->name.name, (Set){ 0 });
    else if (target->kind == AST_INDEX || target->kind == AST_ATTRIBUTE)
        store(f, target, (Set){ 0 });
    if (target->kind == AST_INDEX)
        call_method(f, target, follow_value(f, target->index.object), "__delitem__", (Set){ 0 });
    if (target->kind == AST_ATTRIBUTE)
        call_method(f, target, follow_value(f, target->attribute.object), "__delattr__",
                    (Set){ 0 });
    for (int i = 0; target->kind == AST_TUPLE && i < target->list.items.count; i++)
        follow_deleted(f, target->list.items.items[i]);
}

/* ---- what repeats ---------------------------------------------------------------------------- */

Set follow_comprehension(Frame *f, const AstExpr *expr)
{
    const AstComprehension *it = expr->comprehension;
    ThingKind kind = it->kind == AST_DICT ? THING_DICT : THING_LIST;
    Thing *names = thing_made(f, expr, "names", THING_LIST);
    Set element = { 0 }, value = { 0 };
    if (!names->names)
        names->names = names_new(arena_of(f), f->names);
    names->names->of_comprehension = true;
    f->names = names->names;
    f->weak++;
    for (int i = 0; i < it->count; i++) {
        const AstClause *clause = &it->clauses[i];
        Set over = follow_value(f, clause->iterable);
        follow_target(f, clause->target, held_items(f, clause->iterable, over));
        for (int k = 0; k < clause->conditions.count; k++)
            follow_value(f, clause->conditions.items[k]);
    }
    for (int pass = 0, before = -1; pass < ROUNDS_MAX && before != f->grown + f->trace->grown;
         pass++) {
        before = f->grown + f->trace->grown;
        element = follow_value(f, it->element);
        value = it->value ? follow_value(f, it->value) : element;
    }
    f->weak--;
    f->names = f->names->outer;
    Set made = held_made(f, expr, "", kind, value);
    if (it->value &&
        thing_hold(arena_of(f), made.items[0].thing, &made.items[0].thing->keys, element))
        f->trace->grown++;
    return made;
}

/* The sets of a target's names, taken before a loop, and joined to what they are behind it. */
typedef struct Kept {
    Frame *f;
    Set sets[KEPT_MAX];
    int count;
    enum { KEPT_TAKE, KEPT_FORGET, KEPT_RESTORE } step;
} Kept;

static void keep_names(void *context, const AstExpr *target)
{
    Kept *kept = context;
    if (target->kind == AST_TUPLE || target->kind == AST_LIST || target->kind == AST_STARRED)
        ast_each_child(target, keep_names, kept);
    if (target->kind != AST_NAME || kept->count == KEPT_MAX)
        return;
    Slot *slot = names_slot(arena_of(kept->f), kept->f->names, target->name.name);
    Set *set = &kept->sets[kept->count++];
    if (kept->step == KEPT_FORGET)
        slot->before = (Set){ 0 };
    if (kept->step == KEPT_RESTORE)
        slot_put(arena_of(kept->f), slot, *set, true, kept->f->trace->stmt);
    if (kept->step == KEPT_TAKE)
        *set = slot->set;
}

static void keep(Kept *kept, const AstExpr *target, int step)
{
    kept->step = step;
    kept->count = 0;
    keep_names(kept, target);
}

static void follow_rounds(Frame *f, const AstStmt *stmt, Kept *kept)
{
    const bool counts = stmt->kind == AST_FOR;
    int weak = f->weak, before = -1;
    for (int round = 0; round < ROUNDS_MAX && before != f->grown + f->trace->grown; round++) {
        before = f->grown + f->trace->grown;
        Set over = follow_value(f, counts ? stmt->for_.iterable : stmt->while_.condition);
        bool first = counts && round == 0 && weak == 1 && kept->count < KEPT_MAX;
        f->weak = first ? 0 : weak;
        if (counts)
            follow_target(f, stmt->for_.target, held_items(f, stmt->for_.iterable, over));
        if (first)
            keep(kept, stmt->for_.target, KEPT_FORGET);
        f->weak = weak;
        follow_body(f, counts ? &stmt->for_.body : &stmt->while_.body);
    }
}

/* In the body of a loop its target has what the loop gives it, not what it had before. */
static void follow_loop(Frame *f, const AstStmt *stmt)
{
    const bool counts = stmt->kind == AST_FOR;
    Kept kept = { .f = f };
    if (counts)
        keep(&kept, stmt->for_.target, KEPT_TAKE);
    f->weak++;
    follow_rounds(f, stmt, &kept);
    if (counts)
        keep(&kept, stmt->for_.target, KEPT_RESTORE);
    follow_body(f, counts ? &stmt->for_.otherwise : &stmt->while_.otherwise);
    f->weak--;
}

/* ---- with, match, branches ------------------------------------------------------------------- */

/* What `with value as target` binds: what __enter__ gives, or the generator's value. */
static void follow_with(Frame *f, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->with.count; i++) {
        const AstWithItem *item = &stmt->with.items[i];
        Set value = follow_value(f, item->value), entered = { 0 };
        join(f, &entered, value);
        join(f, &entered, call_method(f, item->value, value, "__enter__", value));
        join(f, &entered, held_items(f, item->value, value));
        if (item->target)
            follow_target(f, item->target, entered);
    }
}

static void follow_with_end(Frame *f, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->with.count; i++) {
        Set value = follow_value(f, stmt->with.items[i].value);
        call_method(f, stmt->with.items[i].value, value, "__exit__", (Set){ 0 });
    }
}

typedef struct Pattern {
    Frame *f;
    Set value;
} Pattern;

static void capture(Frame *f, const char *name, Set value)
{
    follow_name(f, name, value);
    if (f->names->module)
        change_slot(f, names_slot(arena_of(f), f->names, name));
}

/* Names in a pattern hold something that the subject holds. */
static void follow_pattern(void *context, const AstExpr *expr)
{
    const Pattern *pattern = context;
    if (expr->kind == AST_NAME)
        capture(pattern->f, expr->name.name, pattern->value);
    if (expr->kind == AST_WALRUS)
        capture(pattern->f, expr->walrus.name, pattern->value);
    for (int i = 0; expr->kind == AST_CALL && i < expr->call.args.count; i++)
        follow_pattern(context, expr->call.args.items[i]);
    for (int i = 0; expr->kind == AST_CALL && i < expr->call.keyword_count; i++)
        follow_pattern(context, expr->call.keywords[i].value);
    if (expr->kind != AST_CALL && expr->kind != AST_ATTRIBUTE)
        ast_each_child(expr, follow_pattern, context);
}

static void follow_match(Frame *f, const AstStmt *stmt)
{
    Pattern pattern = { f, set_reach(arena_of(f), follow_value(f, stmt->match.subject)) };
    for (int i = 0; i < pattern.value.count; i++)
        pattern.value.items[i].rank = 0;
    f->weak++;
    for (int i = 0; i < stmt->match.cases.count; i++) {
        const AstCase *it = &stmt->match.cases.items[i];
        follow_pattern(&pattern, it->pattern);
        if (it->guard)
            follow_value(f, it->guard);
        follow_body(f, &it->body);
    }
    f->weak--;
}

/* ---- statements ------------------------------------------------------------------------------ */

static void follow_each_value(void *context, const AstExpr *expr)
{
    follow_value(context, expr);
}

static void follow_assign(Frame *f, const AstExprs *targets, const AstExpr *value)
{
    Set set = follow_value(f, value);
    for (int i = 0; i < targets->count; i++)
        follow_target(f, targets->items[i], set);
}

static void follow_return(Frame *f, const AstStmt *stmt)
{
    if (!stmt->return_.value)
        return;
    if (set_join(arena_of(f), &f->result, follow_value(f, stmt->return_.value)))
        f->trace->grown++;
}

/* What statements raise; a handler's name may hold any of it. */
static Thing *raised_of(Frame *f)
{
    HeapNames *names = names_of_file(f);
    if (!names->raised)
        names->raised = thing_new(arena_of(f), THING_FOREIGN);
    return names->raised;
}

static void follow_handlers(Frame *f, const AstTry *try)
{
    for (int i = 0; i < try->handlers.count; i++) {
        const AstHandler *handler = &try->handlers.items[i];
        if (handler->class_)
            follow_value(f, handler->class_);
        if (handler->name)
            follow_name(f, handler->name, set_of(arena_of(f), raised_of(f), 0));
    }
}

/* All that a statement may run, its own part first. */
static void follow_parts(Frame *f, const AstStmt *stmt)
{
    const AstBody *inner;
    bool branches = stmt->kind == AST_IF || stmt->kind == AST_TRY;
    ast_each_value(stmt, follow_each_value, f);
    if (stmt->kind == AST_RAISE && stmt->raise.exception)
        held_hold(f, raised_of(f), follow_value(f, stmt->raise.exception));
    f->weak += branches;
    if (stmt->kind == AST_TRY)
        follow_handlers(f, &stmt->try_);
    for (int i = 0; (inner = ast_body(stmt, i)); i++)
        follow_body(f, inner);
    f->weak -= branches;
}

static void follow_kind(Frame *f, const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_ASSIGN:
        follow_assign(f, &stmt->assign.targets, stmt->assign.value);
        return;
    case AST_ANN_ASSIGN:
        follow_value(f, stmt->ann_assign.annotation);
        if (stmt->ann_assign.value)
            follow_target(f, stmt->ann_assign.target, follow_value(f, stmt->ann_assign.value));
        return;
    case AST_AUG_ASSIGN:
        follow_augmented(f, stmt);
        return;
    case AST_FOR:
    case AST_WHILE:
        follow_loop(f, stmt);
        return;
    case AST_MATCH:
        follow_match(f, stmt);
        return;
    case AST_DEF:
        follow_function(f, stmt);
        return;
    case AST_CLASS:
        follow_class(f, stmt);
        return;
    case AST_IMPORT:
    case AST_FROM_IMPORT:
        follow_import(f, stmt);
        return;
    case AST_GLOBAL:
    case AST_NONLOCAL:
        follow_global(f, stmt);
        return;
    case AST_DEL:
        for (int i = 0; i < stmt->del.targets.count; i++)
            follow_deleted(f, stmt->del.targets.items[i]);
        return;
    case AST_RETURN:
        follow_return(f, stmt);
        return;
    case AST_WITH:
        follow_with(f, stmt);
        follow_body(f, &stmt->with.body);
        follow_with_end(f, stmt);
        return;
    default:
        follow_parts(f, stmt);
        return;
    }
}

static void follow_stmt(Frame *f, const AstStmt *stmt)
{
    const Set outer = f->touched;
    if (!f->function)
        f->trace->span = stmt->span;
    f->touched = (Set){ 0 };
    for (int round = 0, before = -1; round < ROUNDS_MAX && before != names_of_file(f)->gives;
         round++) {
        before = names_of_file(f)->gives;
        follow_kind(f, stmt);
        call_implicit(f, f->touched);
    }
    f->touched = outer;
}

void follow_body(Frame *f, const AstBody *body)
{
    enum { DEEPEST = 2500 };
    f->trace->depth++;
    for (int i = 0; i < body->count && f->trace->depth < DEEPEST && !f->trace->over; i++)
        follow_stmt(f, body->items[i]);
    f->trace->depth--;
}

/* ---- statements of a module ------------------------------------------------------------------ */

static Frame root_frame(Trace *trace)
{
    Resolver *r = trace->r;
    Frame f = { .trace = trace,
                .module = r->module,
                .names = names_of_module(r->module),
                .implicit.kind = AST_NONE,
                .weak = r->inside > 1 };
    trace->begin = r->arena->total;
    table_init(&f.things, r->arena);
    table_init(&f.frames, r->arena);
    table_init(&f.globals, r->arena);
    table_init(&trace->shared, r->arena);
    return f;
}

/* What is left to do when a statement has been followed. */
static void finish(Frame *f)
{
    Resolver *r = f->trace->r;
    if (f->trace->over)
        change_all(f);
    scope_file(r->module)->followed += trace_taken(f->trace);
}

void change_by_statement(Resolver *r, const AstStmt *stmt)
{
    Trace trace = { .r = r, .stmt = stmt, .span = stmt->span };
    if (r->module->standard)
        return;
    Frame f = root_frame(&trace);
    follow_stmt(&f, stmt);
    finish(&f);
}

void change_by_header(Resolver *r, const AstStmt *stmt)
{
    Trace trace = { .r = r, .stmt = stmt, .span = stmt->span };
    if (r->module->standard)
        return;
    Frame f = root_frame(&trace);
    if (stmt->kind == AST_WITH)
        follow_with(&f, stmt);
    else
        ast_each_value(stmt, follow_each_value, &f);
    if (stmt->kind == AST_TRY)
        follow_handlers(&f, &stmt->try_);
    call_implicit(&f, f.touched);
    finish(&f);
}

void change_by_end(Resolver *r, const AstStmt *stmt)
{
    Trace trace = { .r = r, .stmt = stmt, .span = stmt->span };
    if (r->module->standard || stmt->kind != AST_WITH)
        return;
    Frame f = root_frame(&trace);
    follow_with_end(&f, stmt);
    call_implicit(&f, f.touched);
    finish(&f);
}

void change_bind(Resolver *r, const char *name, Resolver *outer, const AstExpr *value)
{
    Trace trace = { .r = outer, .span = value->span };
    if (r->module->standard)
        return;
    Frame f = root_frame(&trace);
    Set set = follow_value(&f, value);
    slot_put(r->arena, names_slot(r->arena, names_of_module(r->module), name), set, false, NULL);
    finish(&f);
}
