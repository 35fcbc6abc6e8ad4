/* Special methods of a program's objects that are asked by operators, and by what is built in. */
#include "runtime/program/python/classes.h"

/* object_calls(), but for methods that say NotImplemented: they are as if they were not there. */
static bool answers(Program *p, HostValue self, const char *name, HostValue with, HostValue *out)
{
    return object_calls(p, self, name, &with, 1, out) &&
           (out->kind != HOST_ELLIPSIS || !out->integer);
}

/* ---- operators ------------------------------------------------------------------------------ */

/* "add", for __add__, __radd__ and __iadd__. */
static const char *name_of(AstOp op)
{
    static const char *const names[AST_OP_COUNT] = {
        [AST_ADD] = "add",       [AST_SUB] = "sub",       [AST_MUL] = "mul",
        [AST_DIV] = "truediv",   [AST_MOD] = "mod",       [AST_FLOORDIV] = "floordiv",
        [AST_POW] = "pow",       [AST_MATMUL] = "matmul", [AST_LSHIFT] = "lshift",
        [AST_RSHIFT] = "rshift", [AST_BITAND] = "and",    [AST_BITOR] = "or",
        [AST_BITXOR] = "xor",
    };
    return names[op];
}

bool object_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    const char *name = name_of(op);
    if (!name)
        return false;
    const char *own = arena_printf(&p->scratch, "__%s__", name);
    const char *other = arena_printf(&p->scratch, "__r%s__", name);
    const bool same = a.kind == b.kind && class_of(a) == class_of(b);
    const bool first = !same && a.kind == HOST_INSTANCE && class_has(class_of(a), b);
    if (first && answers(p, b, other, a, out))
        return true;
    if (!p->failed && answers(p, a, own, b, out))
        return true;
    return !p->failed && !same && !first && answers(p, b, other, a, out);
}

bool object_in_place(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    const char *name = name_of(op);
    return name && answers(p, a, arena_printf(&p->scratch, "__i%s__", name), b, out);
}

bool object_unary(Program *p, AstOp op, HostValue a, HostValue *out)
{
    const char *name = op == AST_NEG ? "__neg__" : op == AST_POS ? "__pos__" : "__invert__";
    return object_calls(p, a, name, NULL, 0, out);
}

/* ---- comparisons ---------------------------------------------------------------------------- */

bool object_ordered(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    static const char *const names[AST_OP_COUNT][2] = {
        [AST_LT] = { "__lt__", "__gt__" },
        [AST_LE] = { "__le__", "__ge__" },
        [AST_GT] = { "__gt__", "__lt__" },
        [AST_GE] = { "__ge__", "__le__" },
    };
    const char *const *pair = names[op];
    const bool first = a.kind == HOST_INSTANCE && b.kind == HOST_INSTANCE &&
                       class_of(a) != class_of(b) && class_has(class_of(a), b);
    if (!pair[0])
        return false;
    if (first && answers(p, b, pair[1], a, out))
        return true;
    if (!p->failed && answers(p, a, pair[0], b, out))
        return true;
    if (!p->failed && !first && answers(p, b, pair[1], a, out))
        return true;
    return !p->failed && a.kind == HOST_INSTANCE && b.kind == HOST_INSTANCE &&
           class_of(a) == class_of(b) && class_of(a)->ordered &&
           host_compare(p, op, data_compared(p, a.instance), data_compared(p, b.instance), out);
}

bool object_differs(Program *p, HostValue a, HostValue b, HostValue *out)
{
    return answers(p, a, "__ne__", b, out) || (!p->failed && answers(p, b, "__ne__", a, out));
}

bool object_says_equal(Program *p, HostValue a, HostValue b, HostValue *out)
{
    const bool second_first =
        a.kind != HOST_INSTANCE || /* or its class is made of the other's */
        (b.kind == HOST_INSTANCE && class_of(a) != class_of(b) && class_has(class_of(a), b));
    const HostValue pair[2] = { second_first ? b : a, second_first ? a : b };
    return answers(p, pair[0], "__eq__", pair[1], out) ||
           (!p->failed && answers(p, pair[1], "__eq__", pair[0], out));
}

bool object_equal(Program *p, HostValue a, HostValue b, bool *equal)
{
    HostValue said;
    if (object_says_equal(p, a, b, &said))
        return host_truth(p, said, equal);
    if (p->failed)
        return false;
    *equal = a.kind == b.kind && a.object == b.object;
    if (a.kind != b.kind || class_of(a) != class_of(b) || !class_of(a)->make)
        return true;
    return data_equal(p, a.instance, b.instance, equal);
}

bool object_is_hashable(HostValue object)
{
    const HostClass *class_ = object.instance->class_;
    return !class_find(class_, NULL, "__eq__") && !class_->make;
}

/* ---- numbers -------------------------------------------------------------------------------- */

bool object_number(Program *p, const char *name, HostValue *value)
{
    static const struct {
        const char *name, *otherwise, *gives;
    } kinds[] = { { "__int__", "__index__", "int" },
                  { "__float__", "__index__", "float" },
                  { "__index__", NULL, "int" } };
    for (size_t i = 0; value->kind == HOST_INSTANCE && i < ARRAY_COUNT(kinds); i++) {
        HostValue number;
        if (strcmp(kinds[i].name, name) != 0)
            continue;
        const bool own = object_has(*value, name);
        const char *asked = own ? name : kinds[i].otherwise;
        if (!asked || !object_has(*value, asked))
            return true;
        if (!object_calls(p, *value, asked, NULL, 0, &number))
            return false;
        const char *given = host_type_name(p, number);
        const char *wanted = own ? kinds[i].gives : "int";
        if (strcmp(given, wanted) != 0 && !(number.kind == HOST_BOOL && *wanted == 'i'))
            return host_fail(p, "TypeError", "%s returned non-%s (type %s)",
                             *wanted == 'f' ? arena_printf(&p->scratch, "%s.__float__",
                                                           host_type_name(p, *value))
                                            : asked,
                             wanted, given);
        *value = number;
        return true;
    }
    return true;
}

/* ---- of what is built in -------------------------------------------------------------------- */

/* The letter of what a value is in the table below, m for those of n that are integers; a blank: it
** is nothing of it. */
static char letter_of(HostValue value)
{
    static const char letters[HOST_ENVIRONMENT + 1] = {
        [HOST_NONE] = 'N',     [HOST_BOOL] = 'b',       [HOST_INT] = 'i',
        [HOST_WIDE] = 'i',     [HOST_FLOAT] = 'f',      [HOST_COMPLEX] = 'c',
        [HOST_NUMBER] = 'n',   [HOST_STRING] = 's',     [HOST_TUPLE] = 't',
        [HOST_LIST] = 'l',     [HOST_DICT] = 'd',       [HOST_VIEW] = 'v',
        [HOST_SET] = 'S',      [HOST_FROZEN_SET] = 'S', [HOST_RANGE] = 'r',
        [HOST_ARRAY] = 'a',    [HOST_EXPRESSION] = 'a', [HOST_PRODUCER] = 'I',
        [HOST_FUNCTION] = 'C', [HOST_METHOD] = 'C',     [HOST_PARTIAL] = 'C',
        [HOST_BUILTIN] = 'C',  [HOST_DTYPE] = 'C',      [HOST_EXCEPTION_CLASS] = 'C',
        [HOST_CLASS] = 'C',    [HOST_KERNEL] = 'C',     [HOST_LAUNCH] = 'C',
        [HOST_UFUNC] = 'C',    [HOST_INSTANCE] = 'O',   [HOST_EXCEPTION] = 'O',
        [HOST_MEMBER] = 'O',
    };
    if (value.kind == HOST_NUMBER && dtype_is_integer(value.dtype))
        return 'm';
    return letters[value.kind] ? letters[value.kind] : ' ';
}

#define ALL "NbifcnstldvSraIO"

/* Which of them have a special method, by their letters. */
static const struct {
    const char *name, *of;
} special_rows[] = {
    { "__len__", "ltdvsraS" },
    { "__iter__", "ltdvsraSI" },
    { "__getitem__", "ltdsran" },
    { "__contains__", "ltdvsraS" },
    { "__setitem__", "lda" },
    { "__delitem__", "lda" },
    { "__next__", "I" },
    { "__call__", "C" },
    { "__add__", "ltsaifnbc" },
    { "__mul__", "ltsaifnbc" },
    { "__float__", "aifnb" },
    { "__int__", "aifnb" },
    { "__index__", "aibm" },
    { "__abs__", "aifnbc" },
    { "__bool__", "raifNnbc" },
    { "__array__", "an" },
    { "__reversed__", "ldvr" },
    { "__round__", "ifnb" },
    { "__enter__", "" },
    { "__exit__", "" },
    { "__str__", ALL },
    { "__repr__", ALL },
    { "__format__", ALL },
    { "__eq__", ALL },
    { "__ne__", ALL },
    { "__lt__", ALL },
    { "__le__", ALL },
    { "__gt__", ALL },
    { "__ge__", ALL },
    { "__hash__", ALL },
    { "__class__", ALL },
};

/* Their letters; NULL: it is none of these methods. */
static const char *have_special(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(special_rows); i++)
        if (strcmp(special_rows[i].name, name) == 0)
            return special_rows[i].of;
    return NULL;
}

bool special_is_known(const char *name)
{
    return have_special(name) != NULL;
}

bool value_special(Program *p, HostValue value, const char *name, HostValue *out)
{
    const char *of = have_special(name);
    const char letter = letter_of(value);
    HostValue function;
    if (!of || !(strchr(of, letter) || (letter == 'm' && strchr(of, 'n'))) ||
        !modules_find(p, arena_printf(&p->scratch, "_methods.special%s", name), &function))
        return false;
    if (strcmp(name, "__class__") == 0)
        return host_call_one(p, function, value, out);
    return host_give(out, bind_method(p, value, function));
}
