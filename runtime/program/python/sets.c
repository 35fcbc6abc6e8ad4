/* What programs do with sets: displays, operators, methods. Which set is gone over, and which is
** copied, is as in CPython, whose order of items comes of that. */
#include "runtime/program/python/set.h"

/* ---- displays ------------------------------------------------------------------------------- */

/* What CPython knows before the program runs. */
static bool is_constant(const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_IMAG:
    case AST_STRING:
    case AST_TRUE:
    case AST_FALSE:
    case AST_NONE:
    case AST_ELLIPSIS:
        return true;
    case AST_UNARY:
        return is_constant(expr->unary.operand);
    case AST_BINARY:
        return is_constant(expr->binary.left) && is_constant(expr->binary.right);
    case AST_TUPLE:
        for (int i = 0; i < expr->list.items.count; i++)
            if (!is_constant(expr->list.items.items[i]))
                return false;
        return true;
    default:
        return false;
    }
}

/* One by one, in their order. */
static bool add_each(Program *p, HostSet *set, HostValue from)
{
    for (size_t i = 0; i < from.set->slots; i++)
        if (host_set_has_item(&from.set->table[i]) &&
            !host_set_add(p, set, from.set->table[i].item))
            return false;
    return true;
}

/* Three constants and more are a frozen set first, made anew once. */
static bool is_made_before(const AstExprs *items)
{
    for (int i = 0; i < items->count; i++)
        if (!is_constant(items->items[i]))
            return false;
    return items->count > 2;
}

bool eval_set(Program *p, const AstExpr *expr, HostValue *out)
{
    const AstExprs *items = &expr->list.items;
    HostValue set = host_set(p, false), item;
    for (int i = 0; i < items->count; i++) {
        const AstExpr *at = items->items[i];
        const bool star = at->kind == AST_STARRED;
        if (!host_eval(p, star ? at->starred.value : at, &item))
            return false;
        if (!(star ? host_set_update(p, set.set, item) : host_set_add(p, set.set, item)))
            return host_place(p, host_span(expr));
    }
    *out = set;
    if (!is_made_before(items))
        return true;
    const HostValue frozen = host_set(p, false);
    *out = host_set(p, false);
    return add_each(p, frozen.set, set) && host_set_update(p, out->set, frozen);
}

void host_set_repr(Program *p, Buf *out, HostValue value)
{
    const HostSet *set = value.set;
    const bool frozen = value.kind == HOST_FROZEN_SET;
    const char *between = "";
    HostShown shown;
    if (!set->used) {
        buf_puts(out, frozen ? "frozenset()" : "set()");
        return;
    }
    if (!repr_enter(p, &shown, set)) {
        buf_puts(out, frozen ? "frozenset(...)" : "set(...)");
        return;
    }
    buf_puts(out, frozen ? "frozenset({" : "{");
    for (size_t i = 0; i < set->slots; i++) {
        if (!host_set_has_item(&set->table[i]))
            continue;
        buf_puts(out, between);
        host_repr(p, out, set->table[i].item);
        between = ", ";
    }
    buf_puts(out, frozen ? "})" : "}");
    p->shown = shown.outer;
}

/* ---- what is made of two -------------------------------------------------------------------- */

static HostValue like(Program *p, HostValue set)
{
    return host_set(p, set.kind == HOST_FROZEN_SET);
}

/* What is given, as a set. */
static bool as_set(Program *p, HostValue value, HostValue *out)
{
    *out = value;
    if (is_set(value))
        return true;
    *out = host_set(p, false);
    return host_set_update(p, out->set, value);
}

static bool copied(Program *p, HostValue set, HostValue *out)
{
    *out = like(p, set);
    return host_set_update(p, out->set, set);
}

static bool without(Program *p, HostSet *set, HostValue other)
{
    HostIterator it;
    HostValue item;
    bool found;
    if (is_set(other) && other.set == set) {
        host_set_clear(set);
        return true;
    }
    if (!host_iterate(p, other, &it))
        return false;
    while (host_next(p, &it, &item))
        if (!host_set_remove(p, set, item, &found))
            return false;
    if (!p->failed)
        host_set_tidy(p, set);
    return !p->failed;
}

static bool same_set(HostValue a, HostValue b)
{
    return is_set(b) && a.set == b.set;
}

static bool intersect(Program *p, HostValue a, HostValue b, HostValue *out)
{
    const bool swap = is_set(b) && b.set->used > a.set->used;
    const HostValue in = swap ? b : a, over = swap ? a : b;
    HostIterator it;
    HostValue item;
    bool found;
    *out = like(p, a);
    if (same_set(a, b))
        return copied(p, a, out);
    if (!host_iterate(p, over, &it))
        return false;
    while (host_next(p, &it, &item))
        if (!host_set_contains(p, in.set, item, &found) ||
            (found && !host_set_add(p, out->set, item)))
            return false;
    return !p->failed;
}

static bool subtract(Program *p, HostValue a, HostValue b, HostValue *out)
{
    HostIterator it;
    HostValue item;
    bool found;
    const size_t size = is_set(b) ? b.set->used : b.kind == HOST_DICT ? b.dict->live : 0;
    if ((!is_set(b) && b.kind != HOST_DICT) || a.set->used / 4 > size)
        return copied(p, a, out) && without(p, out->set, b);
    *out = like(p, a);
    if (!host_iterate(p, a, &it))
        return false;
    while (host_next(p, &it, &item))
        if (!host_contains(p, item, b, &found) || (!found && !host_set_add(p, out->set, item)))
            return false;
    return !p->failed;
}

/* Takes the items that both have away from `set`, and adds the others of `other`. */
static bool differ(Program *p, HostSet *set, HostValue other)
{
    HostValue with;
    HostIterator it;
    HostValue item;
    bool found;
    if (is_set(other) && other.set == set) {
        host_set_clear(set);
        return true;
    }
    if (!as_set(p, other, &with) || !host_iterate(p, with, &it))
        return false;
    while (host_next(p, &it, &item))
        if (!host_set_remove(p, set, item, &found) || (!found && !host_set_add(p, set, item)))
            return false;
    return !p->failed;
}

static bool symmetric(Program *p, HostValue a, HostValue b, HostValue *out)
{
    *out = like(p, a);
    return host_set_update(p, out->set, b) && differ(p, out->set, a);
}

bool host_set_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    HostValue set;
    if (!is_like_set(a) || !is_like_set(b))
        return false;
    if (op != AST_BITOR && op != AST_BITAND && op != AST_SUB && op != AST_BITXOR)
        return false;
    if (!as_set(p, a, &set) || !as_set(p, b, &b))
        return false;
    switch (op) {
    case AST_BITOR:
        return copied(p, set, out) && (same_set(set, b) || host_set_update(p, out->set, b));
    case AST_BITAND:
        return intersect(p, set, b, out);
    case AST_SUB:
        return subtract(p, set, b, out);
    default:
        return symmetric(p, set, b, out);
    }
}

/* The items of another in place of its own. */
static void take(HostSet *set, HostSet *from)
{
    HostSet old = *set;
    *set = *from;
    set->head = old.head;
    set->finger = old.finger;
    old.head = from->head;
    *from = old;
}

static bool keep_both(Program *p, HostValue set, HostValue other)
{
    HostValue made;
    if (!intersect(p, set, other, &made))
        return false;
    take(set.set, made.set);
    return true;
}

bool host_set_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    *out = a;
    if (a.kind != HOST_SET || !is_like_set(b))
        return host_set_binary(p, op, a, b, out);
    switch (op) {
    case AST_BITOR:
        return host_set_update(p, a.set, b);
    case AST_BITAND:
        return keep_both(p, a, b);
    case AST_SUB:
        return without(p, a.set, b);
    case AST_BITXOR:
        return differ(p, a.set, b);
    default:
        return false;
    }
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static bool is_subset(Program *p, HostValue a, HostValue b, bool *is)
{
    HostIterator it;
    HostValue item;
    *is = a.set->used <= b.set->used;
    if (!*is)
        return true;
    if (!host_iterate(p, a, &it))
        return false;
    while (*is && host_next(p, &it, &item))
        if (!host_set_contains(p, b.set, item, is))
            return false;
    return !p->failed;
}

bool host_set_compare(Program *p, AstOp op, HostValue a, HostValue b, bool *truth)
{
    const bool above = op == AST_GT || op == AST_GE, strict = op == AST_LT || op == AST_GT;
    HostValue small, big;
    *truth = false;
    if (!as_set(p, above ? b : a, &small) || !as_set(p, above ? a : b, &big))
        return false;
    if (strict && small.set->used >= big.set->used)
        return true;
    return is_subset(p, small, big, truth);
}

bool host_set_equal(Program *p, HostValue a, HostValue b, bool *equal)
{
    *equal = false;
    if (!is_like_set(a) || !is_like_set(b))
        return true;
    if (!as_set(p, a, &a) || !as_set(p, b, &b))
        return false;
    *equal = a.set->used == b.set->used;
    return !*equal || is_subset(p, a, b, equal);
}

/* ---- methods -------------------------------------------------------------------------------- */

static bool make_set(Program *p, HostArgs *args, HostValue *out)
{
    const bool frozen = *args->builtin->name == 'f';
    *out = host_set(p, frozen);
    if (frozen && args->count && args->values[0].kind == HOST_FROZEN_SET)
        return host_give(out, args->values[0]);
    return !args->count || host_set_update(p, out->set, args->values[0]);
}

/* union, intersection, difference, symmetric_difference */
static bool method_combined(Program *p, HostArgs *args, HostValue *out)
{
    const char *name = strchr(args->builtin->name, '.') + 1;
    HostValue made = args->self;
    if ((!args->count || *name == 'u') && !copied(p, made, &made))
        return false;
    for (size_t i = 0; i < args->count; i++) {
        const HostValue other = args->values[i];
        const bool fine = *name == 'u'
                              ? same_set(args->self, other) || host_set_update(p, made.set, other)
                          : *name == 'i' ? intersect(p, made, other, &made)
                          : *name == 's' ? symmetric(p, made, other, &made)
                          : i == 0       ? subtract(p, made, other, &made)
                                         : without(p, made.set, other);
        if (!fine)
            return false;
    }
    return host_give(out, made);
}

static bool method_update(Program *p, HostArgs *args, HostValue *out)
{
    const char *name = strchr(args->builtin->name, '.') + 1;
    *out = host_none();
    for (size_t i = 0; i < args->count; i++) {
        const HostValue other = args->values[i];
        const bool fine = *name == 'u'   ? host_set_update(p, args->self.set, other)
                          : *name == 'i' ? keep_both(p, args->self, other)
                          : *name == 'd' ? without(p, args->self.set, other)
                                         : differ(p, args->self.set, other);
        if (!fine)
            return false;
    }
    return true;
}

static bool method_add(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_none();
    return host_set_add(p, args->self.set, args->values[0]);
}

/* remove, discard */
static bool method_remove(Program *p, HostArgs *args, HostValue *out)
{
    bool found;
    *out = host_none();
    if (!host_set_remove(p, args->self.set, args->values[0], &found))
        return false;
    return found || strcmp(args->builtin->name, "set.discard") == 0 ||
           dict_missing(p, args->values[0]);
}

static bool method_pop(Program *p, HostArgs *args, HostValue *out)
{
    return host_set_pop(args->self.set, out) ||
           dict_missing(p, host_text(p, "pop from an empty set"));
}

static bool method_clear(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    *out = host_none();
    host_set_clear(args->self.set);
    return true;
}

static bool method_copy(Program *p, HostArgs *args, HostValue *out)
{
    *out = args->self;
    return args->self.kind == HOST_FROZEN_SET || copied(p, args->self, out);
}

/* issubset, issuperset, isdisjoint */
static bool method_asks(Program *p, HostArgs *args, HostValue *out)
{
    const char *name = strchr(args->builtin->name, '.') + 1;
    HostValue other, both;
    bool is;
    if (!as_set(p, args->values[0], &other))
        return false;
    if (strcmp(name, "isdisjoint") == 0) {
        is = intersect(p, args->self, other, &both) && !both.set->used;
    } else {
        const bool sub = strcmp(name, "issubset") == 0;
        if (!is_subset(p, sub ? args->self : other, sub ? other : args->self, &is))
            return false;
    }
    *out = host_bool(is);
    return !p->failed;
}

const HostBuiltin *host_set_method(HostKind kind, const char *name)
{
    static const HostBuiltin rows[] = {
        { "set.union", 0, -1, method_combined, NULL },
        { "set.intersection", 0, -1, method_combined, NULL },
        { "set.difference", 0, -1, method_combined, NULL },
        { "set.symmetric_difference", 1, 1, method_combined, NULL },
        { "set.issubset", 1, 1, method_asks, NULL },
        { "set.issuperset", 1, 1, method_asks, NULL },
        { "set.isdisjoint", 1, 1, method_asks, NULL },
        { "set.copy", 0, 0, method_copy, NULL },
        { "set.update", 0, -1, method_update, NULL },
        { "set.intersection_update", 0, -1, method_update, NULL },
        { "set.difference_update", 0, -1, method_update, NULL },
        { "set.symmetric_difference_update", 1, 1, method_update, NULL },
        { "set.add", 1, 1, method_add, NULL },
        { "set.remove", 1, 1, method_remove, NULL },
        { "set.discard", 1, 1, method_remove, NULL },
        { "set.pop", 0, 0, method_pop, NULL },
        { "set.clear", 0, 0, method_clear, NULL },
    };
    enum { OF_FROZEN = 8 };
    const size_t count = kind == HOST_FROZEN_SET ? OF_FROZEN : ARRAY_COUNT(rows);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name + strlen("set."), name) == 0)
            return &rows[i];
    return NULL;
}

const HostBuiltin set_functions[] = {
    { "set", 0, 1, make_set, NULL },
    { "frozenset", 0, 1, make_set, NULL },
    { NULL, 0, 0, NULL, NULL },
};
