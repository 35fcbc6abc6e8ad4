/* Enumerations: what their members are. A member of an Enum is a value of its own, one of an
** IntEnum an int that has a name; the members of an IntFlag make others by `|`, which have names
** of several. */
#include "runtime/program/python/classes.h"

#include <ctype.h>

/* What auto() gives, until it is a member's. */
static const char automatic[] = "enum.auto";

static bool make_auto(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    return host_give(out, (HostValue){ .kind = HOST_MODULE, .text = automatic });
}

static bool enum_unique(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    (void)out;
    return host_fail(p, "NotImplementedError", "unique() stands before a class, as @unique");
}

static bool is_auto(HostValue value)
{
    return value.kind == HOST_MODULE && value.text == automatic;
}

static const HostMember *member_of(HostValue value)
{
    return value.kind == HOST_MEMBER ? value.member : value.enumerated;
}

static HostValue new_member(Program *p, const HostClass *class_, const char *name, HostValue value)
{
    HostMember *member = arena_new(p->arena, HostMember);
    *member = (HostMember){ .class_ = class_, .name = name, .value = value };
    if (class_->form == CLASS_ENUM || (class_->form == CLASS_FLAGS && class_->mixed))
        return (HostValue){ .kind = HOST_MEMBER, .member = member };
    value.enumerated = member;
    return value;
}

/* ---- members -------------------------------------------------------------------------------- */

static int64_t bit_above(int64_t number)
{
    int64_t bit = 1;
    while (bit <= number && bit < INT64_MAX / 2)
        bit *= 2;
    return bit;
}

/* The member of a value; *found: there is one. */
static bool find_value(Program *p, const HostClass *class_, HostValue value, bool *found,
                       HostValue *out)
{
    *found = false;
    for (size_t i = 0; i < class_->members->count && !*found; i++) {
        *out = class_->members->items[i];
        if (!host_same_or_equal(p, member_of(*out)->value, value, found))
            return false;
    }
    return true;
}

static const char *lower(Program *p, const char *name)
{
    char *text = arena_strdup(&p->scratch, name);
    for (char *at = text; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return text;
}

/* What may be a member's value, as it is one. */
static bool take_value(Program *p, const HostClass *class_, const char *name, HostValue *value)
{
    if (class_->form == CLASS_TEXTS) {
        if (is_auto(*value) && !class_->mixed)
            *value = host_text(p, lower(p, name));
        return value->kind == HOST_STRING ||
               host_fail(p, "TypeError", "%s is not a string", host_type_name(p, *value));
    }
    if (is_auto(*value))
        *value = host_int(class_->form == CLASS_FLAGS ? bit_above(class_->highest)
                                                      : class_->highest + 1);
    if (class_->form == CLASS_ENUM) {
        for (size_t i = 0; value->kind == HOST_TUPLE && i < value->list->count; i++)
            if (is_auto(value->list->items[i]))
                return host_fail(p, "NotImplementedError",
                                 "auto() is all of a member's value: write the numbers");
        return value->kind == HOST_NONE || value->kind == HOST_STRING ||
               value->kind == HOST_TUPLE || value->kind == HOST_LIST || host_is_number(*value) ||
               host_fail(p, "NotImplementedError",
                         "the value of a member of an Enum is a number, a text, None, a tuple or a "
                         "list");
    }
    int64_t integer;
    if (!host_integer(p, *value, &integer))
        return false;
    *value = host_int(integer);
    return true;
}

bool enum_add(Program *p, HostClass *class_, const char *name, Span span, HostValue *value)
{
    HostValue member;
    bool found;
    if (*name == '_')
        return host_refuse(p, span, "the name of a member begins with a letter");
    if (env_find(class_->names, name))
        return host_raise(p, span, "TypeError", "'%s' is defined twice in '%s'", name,
                          class_->name);
    if (!take_value(p, class_, name, value) || !find_value(p, class_, *value, &found, &member))
        return host_place(p, span);
    if (value->kind == HOST_INT && (!class_->numbered || value->integer > class_->highest)) {
        class_->highest = value->integer;
        class_->numbered = true;
    }
    if (!found) {
        member = new_member(p, class_, name, *value);
        if (class_->form != CLASS_FLAGS ||
            (value->integer > 0 && !(value->integer & (value->integer - 1))))
            host_append(p, class_->members, member);
    }
    env_set(p, class_->names, name, member);
    return true;
}

bool enum_init(Program *p, const HostClass *class_)
{
    HostValue none;
    if (class_->form != CLASS_ENUM || !class_find(class_, NULL, "__init__"))
        return true;
    for (size_t i = 0; i < class_->members->count; i++) {
        const HostValue self = class_->members->items[i], value = self.member->value;
        const bool several = value.kind == HOST_TUPLE;
        ((HostMember *)(uintptr_t)self.member)->fields = env_new(p, NULL, NULL);
        if (!object_calls(p, self, "__init__", several ? value.list->items : &value,
                          several ? value.list->count : 1, &none))
            return false;
    }
    return true;
}

/* ---- flags ---------------------------------------------------------------------------------- */

int64_t enum_bits(HostValue flag)
{
    return flag.kind == HOST_MEMBER ? flag.member->value.integer : flag.integer;
}

/* "READ|WRITE|8"; NULL where nothing is set. */
static const char *flag_name(Program *p, const HostClass *class_, int64_t bits)
{
    Buf out = buf_in(p->arena);
    for (size_t i = 0; i < class_->members->count; i++) {
        const HostMember *member = member_of(class_->members->items[i]);
        if (!(bits & member->value.integer))
            continue;
        buf_printf(&out, "%s%s", out.length ? "|" : "", member->name);
        bits &= ~member->value.integer;
    }
    if (bits)
        buf_printf(&out, "%s%lld", out.length ? "|" : "", (long long)bits);
    return out.length ? buf_text(&out) : NULL;
}

/* The member whose value is that, which is made if there is none; it is kept by a name that none in
** a text has. */
static HostValue flag_of(Program *p, const HostClass *class_, int64_t bits)
{
    const char *key = arena_printf(&p->scratch, "|%lld", (long long)bits);
    for (size_t i = 0; i < class_->names->capacity; i++) {
        const HostName *slot = &class_->names->slots[i];
        if (slot->name && class_of(slot->value) == class_ && enum_bits(slot->value) == bits)
            return slot->value;
    }
    const HostValue member = new_member(p, class_, flag_name(p, class_, bits), host_int(bits));
    env_set(p, class_->names, arena_strdup(p->arena, key), member);
    return member;
}

/* All bits of the flags, and of a number. */
static int64_t all_bits(const HostClass *class_, int64_t bits)
{
    return bit_above(class_->highest > bits ? class_->highest : bits) - 1;
}

static const HostClass *flags_of(HostValue value)
{
    const bool may = value.kind == HOST_INT || value.kind == HOST_MEMBER;
    const HostClass *class_ = may ? class_of(value) : NULL;
    return class_ && class_->form == CLASS_FLAGS ? class_ : NULL;
}

bool enum_has_flags(HostValue value)
{
    return flags_of(value) != NULL;
}

HostValue enum_members(Program *p, HostValue flags)
{
    const HostList *all = flags_of(flags)->members;
    const HostValue out = host_room(p, HOST_LIST, 0);
    for (size_t i = 0; i < all->count; i++)
        if (enum_bits(all->items[i]) & enum_bits(flags))
            host_append(p, out.list, all->items[i]);
    return out;
}

bool enum_flags(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    const HostClass *class_ = flags_of(a) ? flags_of(a) : flags_of(b);
    const int64_t x = enum_bits(a), y = enum_bits(b);
    const bool bitwise = op == AST_BITOR || op == AST_BITAND || op == AST_BITXOR;
    const bool own = class_ && class_->mixed; /* a Flag, which is no int */
    if (!class_ || (own && op != AST_INVERT && flags_of(a) != flags_of(b)) ||
        (!own && (a.kind != HOST_INT || b.kind != HOST_INT)) || (!bitwise && op != AST_INVERT) ||
        x < 0 || y < 0)
        return false;
    return host_give(out, flag_of(p, class_,
                                  op == AST_BITOR    ? x | y
                                  : op == AST_BITAND ? x & y
                                  : op == AST_BITXOR ? x ^ y
                                                     : all_bits(class_, x) & ~x));
}

/* ---- what they have ------------------------------------------------------------------------- */

bool enum_call(Program *p, const HostClass *class_, HostValue value, HostValue *out)
{
    bool found;
    if (class_has(class_, value))
        return host_give(out, value);
    if (!find_value(p, class_, value, &found, out))
        return false;
    if (!found && class_->form == CLASS_FLAGS && value.kind == HOST_INT && value.integer >= 0)
        return host_give(out, flag_of(p, class_, value.integer));
    Buf text = buf_in(&p->scratch);
    host_repr(p, &text, value);
    return found ||
           host_fail(p, "ValueError", "%s is not a valid %s", buf_text(&text), class_->name);
}

bool enum_index(Program *p, const HostClass *class_, HostValue name, HostValue *out)
{
    const HostName *slot = NULL;
    if (name.kind == HOST_STRING)
        slot = env_find(class_->names, name.string->text);
    if (slot && class_has(class_, slot->value))
        return host_give(out, slot->value);
    return dict_missing(p, name);
}

bool enum_contains(Program *p, const HostClass *class_, HostValue value, bool *found)
{
    *found = class_has(class_, value);
    return class_of(value) ||
           host_fail(p, "TypeError", "unsupported operand type(s) for 'in': '%s' and 'EnumType'",
                     host_type_name(p, value));
}

bool enum_attribute(Program *p, HostValue object, const char *name, HostValue *out)
{
    const HostMember *member = member_of(object);
    if (strcmp(name, "value") == 0)
        *out = member->value;
    else if (strcmp(name, "name") == 0)
        *out = member->name ? host_text(p, member->name) : host_none();
    else
        return false;
    return true;
}

bool enum_str(Program *p, Buf *out, HostValue object)
{
    const HostMember *member = member_of(object);
    const char *form = member->name ? "%s.%s" : "%s(0)";
    HostValue said = host_none();
    p->texts++;
    const bool own = object_calls(p, object, "__str__", NULL, 0, &said);
    p->texts--;
    if (p->failed)
        return true;
    if (own && said.kind != HOST_STRING)
        return !host_fail(p, "TypeError", "__str__ returned non-string (type %s)",
                          host_type_name(p, said));
    if (own)
        buf_put(out, said.string->text, said.string->length);
    else if (object.kind == HOST_MEMBER || member->class_->mixed)
        buf_printf(out, form, member->class_->name, member->name);
    else
        return false;
    return true;
}

void enum_repr(Program *p, Buf *out, HostValue object)
{
    const HostMember *member = member_of(object);
    buf_printf(out, "<%s%s%s: ", member->class_->name, member->name ? "." : "",
               member->name ? member->name : "");
    host_repr(p, out, member->value);
    buf_putc(out, '>');
}

const HostBuiltin enum_functions[] = {
    { "enum.auto", 0, 0, make_auto, NULL },
    { "enum.unique", 1, 1, enum_unique, NULL },
    { NULL, 0, 0, NULL, NULL },
};
