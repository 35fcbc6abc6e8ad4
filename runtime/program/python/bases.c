/* What a class is made of: its bases, and the order in which it and they are asked for a name, that
** of Python (C3): a class comes before its bases, and these in the order in which any class has
** them. */
#include "runtime/program/python/classes.h"

bool class_form_of(HostValue base, ClassForm *form)
{
    static const struct {
        const char *name;
        ClassForm form;
    } forms[] = { { "typing.NamedTuple", CLASS_TUPLES }, { "enum.Enum", CLASS_ENUM },
                  { "enum.IntEnum", CLASS_INTEGERS },    { "enum.IntFlag", CLASS_FLAGS },
                  { "enum.Flag", CLASS_FLAGS },          { "enum.StrEnum", CLASS_TEXTS } };
    *form = base.kind == HOST_CLASS ? base.class_->form : CLASS_OBJECTS;
    if (base.kind == HOST_CLASS)
        return base.class_->form < CLASS_ENUM;
    if (base.kind == HOST_EXCEPTION_CLASS)
        return true;
    for (size_t i = 0; base.kind == HOST_BUILTIN && i < ARRAY_COUNT(forms); i++)
        if (strcmp(base.builtin->name, forms[i].name) == 0) {
            *form = forms[i].form;
            return true;
        }
    return false;
}

/* Those that say nothing of what the class has. */
static bool says_nothing(Program *p, const AstExpr *expr, HostValue base)
{
    const char *path = base.kind == HOST_FOREIGN ? base.text : "";
    return (expr->kind == AST_NAME && strcmp(expr->name.name, "object") == 0) ||
           (base.kind == HOST_CLASS && base.class_ == p->object) || strcmp(path, "abc.ABC") == 0 ||
           strncmp(path, "typing.Generic", 14) == 0 || strncmp(path, "typing.Protocol", 15) == 0;
}

/* metaclass=ABCMeta */
static bool is_abstract_meta(const AstKeyword *keyword)
{
    return keyword->name && strcmp(keyword->name, "metaclass") == 0 &&
           ast_ends_in(keyword->value, "ABCMeta");
}

/* ---- the order ------------------------------------------------------------------------------ */

/* Classes in an order, of which those before `at` are taken. */
typedef struct Order {
    const HostClass *const *list;
    size_t count, at;
} Order;

/* Whether a class stands behind the first of a line. */
static bool is_later(const Order *line, const HostClass *class_)
{
    for (size_t i = line->at + 1; i < line->count; i++)
        if (line->list[i] == class_)
            return true;
    return false;
}

/* The first of the lines that is in none of them behind another; NULL: there is none. */
static const HostClass *next_in(const Order *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const HostClass *first = lines[i].at < lines[i].count ? lines[i].list[lines[i].at] : NULL;
        bool later = false;
        for (size_t k = 0; first && k < count; k++)
            later |= is_later(&lines[k], first);
        if (first && !later)
            return first;
    }
    return NULL;
}

/* The order of a class and of its bases. */
static bool put_in_order(Program *p, HostClass *class_, const HostClass *const *bases, size_t count)
{
    Order *lines = arena_array(p->arena, Order, count + 1);
    size_t most = 1;
    for (size_t i = 0; i < count; i++) {
        lines[i] = (Order){ bases[i]->order, bases[i]->order_count, 0 };
        most += bases[i]->order_count;
    }
    lines[count] = (Order){ bases, count, 0 };
    class_->order = arena_array(p->arena, const HostClass *, most);
    class_->order[0] = class_;
    class_->order_count = 1;
    for (;;) {
        const HostClass *next = next_in(lines, count + 1);
        bool any = false;
        for (size_t i = 0; i <= count; i++) {
            if (next && lines[i].at < lines[i].count && lines[i].list[lines[i].at] == next)
                lines[i].at++;
            any |= lines[i].at < lines[i].count;
        }
        if (next)
            class_->order[class_->order_count++] = next;
        else if (any)
            return false;
        if (!any)
            return true;
    }
}

static bool no_order(Program *p, Span span, const HostClass *const *bases, size_t count)
{
    Buf names = buf_in(&p->scratch);
    for (size_t i = 0; i < count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", bases[i]->name);
    return host_raise(p, span, "TypeError",
                      "Cannot create a consistent method resolution\norder (MRO) for bases %s",
                      buf_text(&names));
}

/* ---- bases ---------------------------------------------------------------------------------- */

static bool refuse(Program *p, Span span)
{
    return host_refuse(p, span,
                       "classes in programs are made of classes of the program and exceptions, or "
                       "are namedtuples and enumerations" HOST_BY_PYTHON);
}

static bool refuse_metaclass(Program *p, Span span)
{
    return host_refuse(
        p, span,
        "metaclasses other than ABCMeta are not there: __init_subclass__ of a base, "
        "or a decorator of the class, does at each class what they do" HOST_BY_PYTHON);
}

/* An exception is of the narrower one of those of Python's that its bases are of. */
static bool take_exception(HostClass *class_, const char *raises)
{
    const char *own = class_->raises;
    if (raises && (!own || exception_class_is(raises, own)))
        class_->raises = raises;
    return !raises || !own || exception_class_is(raises, own) || exception_class_is(own, raises);
}

bool class_holds(const HostClass *class_, const char *name)
{
    const char *own = class_ && class_->holds ? class_->holds->name : "";
    return strcmp(own, name) == 0 || (strcmp(name, "dict") == 0 && strstr(own, "Dict"));
}

/* `dict` and its like: objects hold one, and the library's class does with it what operators do. */
static bool take_held(Program *p, HostClass *class_, HostValue *base)
{
    static const char *const names[] = { "dict", "list", "collections.OrderedDict" };
    if (base->kind != HOST_BUILTIN || !TEXT_IS_AMONG(base->builtin->name, names))
        return true;
    const HostBuiltin *held = base->builtin;
    const bool first = !class_->holds && modules_find(p, "builtins._held", base);
    class_->holds = held;
    return first;
}

/* class Kind(str, Enum): what stands before Enum says what the members are, too. */
static bool is_mixed(HostValue base, ClassForm *form)
{
    const char *name = base.kind == HOST_BUILTIN ? base.builtin->name : "";
    *form = strcmp(name, "str") == 0 ? CLASS_TEXTS : CLASS_INTEGERS;
    return *form == CLASS_TEXTS || strcmp(name, "int") == 0;
}

static bool take_mixed(Program *p, HostClass *class_, const AstExprs *bases)
{
    HostValue base;
    ClassForm form;
    if (bases->count != 2 || !host_eval(p, bases->items[0], &base) || !is_mixed(base, &form) ||
        !host_eval(p, bases->items[1], &base) || base.kind != HOST_BUILTIN ||
        strcmp(base.builtin->name, "enum.Enum") != 0)
        return false;
    class_->form = form;
    class_->mixed = true;
    return true;
}

static bool take_base(Program *p, HostClass *class_, HostValue base, const HostClass **bases,
                      size_t *count)
{
    ClassForm form;
    /* collections.abc.Sequence, which says of list and its like that they are some, too */
    if (base.kind == HOST_TUPLE && base.list->count)
        base = base.list->items[base.list->count - 1];
    if (!take_held(p, class_, &base) || !class_form_of(base, &form) ||
        (*count && form != class_->form))
        return false;
    class_->form = form;
    class_->mixed |= base.kind == HOST_BUILTIN && strcmp(base.builtin->name, "enum.Flag") == 0;
    if (!take_exception(class_, base.kind == HOST_EXCEPTION_CLASS ? base.text
                                : base.kind == HOST_CLASS         ? base.class_->raises
                                                                  : NULL))
        return false;
    if (base.kind != HOST_CLASS)
        return true;
    if (class_->make && base.class_->make) /* whose fields come first? */
        return false;
    class_->make = class_->make ? class_->make : base.class_->make;
    class_->counts |= base.class_->counts;
    if (class_->holds && base.class_->holds && class_->holds != base.class_->holds)
        return false;
    class_->holds = class_->holds ? class_->holds : base.class_->holds;
    bases[(*count)++] = base.class_;
    return true;
}

bool class_bases(Program *p, HostClass *class_, const AstStmt *stmt)
{
    const AstClass *ast = &stmt->class_;
    const HostClass **bases = arena_array(p->arena, const HostClass *, ast->bases.count + 1);
    size_t count = 0;
    bool others = false; /* keywords, for __init_subclass__ of a base */
    for (int i = 0; i < ast->keyword_count; i++) {
        class_->counts |= is_abstract_meta(&ast->keywords[i]);
        others |= !is_abstract_meta(&ast->keywords[i]);
    }
    const bool mixed = take_mixed(p, class_, &ast->bases);
    if (p->failed)
        return false;
    for (int i = 0; i < ast->bases.count && !mixed; i++) {
        const AstExpr *expr = ast->bases.items[i];
        HostValue base;
        if (!host_eval(p, expr, &base))
            return false;
        if (says_nothing(p, expr, base)) {
            class_->counts |= base.kind == HOST_FOREIGN && strcmp(base.text, "abc.ABC") == 0;
            class_->protocol |=
                base.kind == HOST_FOREIGN && strncmp(base.text, "typing.Protocol", 15) == 0;
            continue;
        }
        if (base.kind == HOST_BUILTIN && strcmp(base.builtin->name, "type") == 0)
            return refuse_metaclass(p, stmt->span);
        if (!take_base(p, class_, base, bases, &count) ||
            (class_->form != CLASS_OBJECTS && ast->bases.count > 1))
            return refuse(p, stmt->span);
    }
    class_->bases = bases;
    class_->base_count = count;
    bool takes = !others;
    for (size_t i = 0; i < count; i++)
        takes |= class_find(bases[i], NULL, "__init_subclass__") != NULL;
    for (int i = 0; i < ast->keyword_count; i++) {
        if (ast->keywords[i].name && strcmp(ast->keywords[i].name, "metaclass") == 0 &&
            !is_abstract_meta(&ast->keywords[i]))
            return refuse_metaclass(p, stmt->span);
        if (!takes)
            return refuse(p, stmt->span);
    }
    return put_in_order(p, class_, bases, count) || no_order(p, stmt->span, bases, count);
}

/* ---- abstract methods ----------------------------------------------------------------------- */

const HostValue *class_find(const HostClass *class_, const HostClass *after, const char *name)
{
    bool behind = !after;
    for (size_t i = 0; class_ && i < class_->order_count; i++) {
        const HostName *slot = behind ? env_find(class_->order[i]->names, name) : NULL;
        if (slot)
            return &slot->value;
        behind |= class_->order[i] == after;
    }
    return NULL;
}

const char *class_private(const HostClass *class_, const char *name)
{
    const char *own = class_->name + strspn(class_->name, "_");
    const size_t length = strlen(own);
    const bool private = *name == '_' && strncmp(name + 1, own, length) == 0 &&
                         strncmp(name + 1 + length, "__", 2) == 0;
    return private ? name + 1 + length : name;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool class_is_whole(Program *p, const HostClass *class_)
{
    const char **names = NULL;
    int count = 0, capacity = 0;
    for (size_t i = 0; class_->counts && i < class_->order_count; i++) {
        const HostEnv *env = class_->order[i]->names;
        for (size_t k = 0; k < env->capacity; k++) {
            const HostName *slot = &env->slots[k];
            const HostValue *held = slot->name && slot->bound ? &slot->value : NULL;
            if (held && held->kind == HOST_FUNCTION && held->function->abstract &&
                class_find(class_, NULL, slot->name) == held)
                array_push(&p->scratch, names, count, capacity) = slot->name;
        }
    }
    if (!count)
        return true;
    qsort(names, (size_t)count, sizeof *names, by_name);
    Buf list = buf_in(&p->scratch);
    for (int i = 0; i < count; i++)
        buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
    return host_fail(p, "TypeError",
                     "Can't instantiate abstract class %s with abstract method%s %s", class_->name,
                     count > 1 ? "s" : "", buf_text(&list));
}
