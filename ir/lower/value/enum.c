/* Enumerations: class Color(Enum) with RED = 1. A member is a tuple of one item, its value, in a
** type of the class's own. The value is a number, or a tuple of numbers, and of one type for all
** members; of text it is the number of the first member with that text, which tells members apart
** and cannot be asked for. A member of an IntEnum is an integer wherever numba takes it for one. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

#include <string.h>

/* The members of an enumeration, evaluated. */
typedef struct Members {
    Table values;       /* by name: IrValue * */
    const char **order; /* the names, without those that are others' by their values */
    int count, capacity;
    const char **texts; /* by number, of members that are texts */
    int text_count, text_capacity;
    const Type *type;
    bool failed, text;
    bool forgotten; /* it failed, and that was void */
    bool making;    /* not all are there yet */
} Members;

/* ---- members -------------------------------------------------------------------------------- */

static bool is_auto(FnState *f, const AstExpr *expr)
{
    if (expr->kind != AST_CALL || expr->call.args.count || expr->call.keyword_count)
        return false;
    const AstExpr *callee = expr->call.function;
    if (callee->kind != AST_NAME && callee->kind != AST_ATTRIBUTE)
        return false;
    Operand function = lower_expr(f, callee);
    return function.kind == OPD_INTRINSIC && function.intrinsic == INTR_enum_auto;
}

typedef struct EnumReader {
    FnState scope; /* the class's: members that come later may name those before */
    const EnumClass *class;
    Members *members;
    int64_t highest; /* of the integers so far, for auto(); 0: there is none */
    bool any;        /* there is one */
    Table texts;     /* by text: IrValue * */
    int count;
} EnumReader;

/* Text becomes the number of the first member that has it. */
static IrValue *text_value(EnumReader *r, Operand value)
{
    const char *text = value.string.text;
    IrValue *number = table_get(&r->texts, text);
    Members *members = r->members;
    if (!number) {
        number = ir_integer(r->scope.arena, type_int64, members->text_count, value.span);
        table_put(&r->texts, text, number);
        array_push(r->scope.arena, members->texts, members->text_count, members->text_capacity) =
            text;
    }
    members->text = true;
    return number;
}

/* A value that a member is given; NULL after a complaint. */
static IrValue *checked_value(EnumReader *r, const AstExpr *expr, Operand operand)
{
    FnState *f = &r->scope;
    if (operand.kind == OPD_STRING && !r->class->integer)
        return text_value(r, operand);
    if (operand.kind == OPD_ERROR || (operand.kind == OPD_VALUE && is_poison(operand.value)))
        return NULL;
    IrValue *value = operand.kind == OPD_VALUE ? plain_value(f, operand.value) : NULL;
    bool integer = value && (type_is_integer(value->type) || value->type->kind == TY_BOOL);
    if (!value || !literal_is(value) || (r->class->integer && !integer))
        return fail_null(f, expr->span, "the value of a member of an %s is %s, and this is %s",
                         r->class->integer ? "IntEnum" : "Enum",
                         r->class->integer ? "an integer" : "a number, a tuple of numbers or text",
                         describe(f, operand));
    return r->class->integer ? convert(f, value, type_int64, expr->span) : value;
}

/* The power of two behind all bits of a number. */
static int64_t next_bit(int64_t number)
{
    int64_t bit = 1;
    while (number > 0 && bit <= number)
        bit <<= 1;
    return bit;
}

/* The value of one member; NULL after a complaint. */
static IrValue *read_value(EnumReader *r, const AstExpr *expr)
{
    FnState *f = &r->scope;
    if (is_auto(f, expr))
        return ir_integer(f->arena, type_int64,
                          r->class->flags ? next_bit(r->highest) : r->highest + 1, expr->span);
    return checked_value(r, expr, lower_expr(f, expr));
}

static void bind_member(EnumReader *r, const char *name, IrValue *value)
{
    Operand *operand = arena_new(r->scope.arena, Operand);
    *operand = operand_value(value);
    env_bind(&r->scope, env_name(&r->scope, name),
             (Binding){ .kind = BIND_OPERAND, .span = value->span, .operand = operand });
    table_put(&r->members->values, name, value);
    if (type_is_integer(value->type) && (!r->any || value->constant.integer > r->highest)) {
        r->highest = value->constant.integer;
        r->any = true;
    }
    r->count++;
}

/* The member of an earlier line that has that value, or NULL. */
static const char *alias_of(const EnumReader *r, const IrValue *value)
{
    const Table *values = &r->members->values;

    for (size_t i = 0; i < values->capacity; i++)
        if (values->slots[i].name && literal_same(values->slots[i].value, value))
            return values->slots[i].name;
    return NULL;
}

/* A member of that value, which is NULL after a complaint; `at` is where the value stands. */
static void add_member(EnumReader *r, const AstExpr *target, IrValue *value, Span at)
{
    Members *members = r->members;
    const char *name = target->name.name;
    Span span = target->span;
    if (value && table_get(&members->values, name)) {
        fail(&r->scope, span, "'%s' has the member '%s' twice", r->class->names.name, name);
        value = NULL;
    }
    if (value && members->type && value->type != members->type) {
        fail(&r->scope, at, "the members of '%s' have values of several types: %s and %s",
             r->class->names.name, type_name(r->scope.arena, members->type),
             type_name(r->scope.arena, value->type));
        value = NULL;
    }
    const char *alias = value && r->class->unique ? alias_of(r, value) : NULL;
    if (alias) {
        fail(&r->scope, span, "'%s' has the value of '%s', in an enumeration that is @unique", name,
             alias);
        value = NULL;
    }
    members->failed |= !value;
    if (!value)
        return;
    members->type = value->type;
    if (!alias_of(r, value))
        array_push(r->scope.arena, members->order, members->count, members->capacity) = name;
    bind_member(r, name, value);
}

/* A = 1, or A, B = 1, 2 */
static void read_member(EnumReader *r, const AstStmt *stmt)
{
    const AstExpr *target = stmt->assign.targets.items[0], *expr = stmt->assign.value;
    if (target->kind == AST_NAME) {
        add_member(r, target, read_value(r, expr), expr->span);
        return;
    }
    Operand values = lower_expr(&r->scope, expr);
    int count = target->list.items.count;
    if (values.kind == OPD_ERROR || evaluate_count(&r->scope, &values) != count) {
        if (values.kind != OPD_ERROR)
            fail(&r->scope, expr->span, "%d members take as many values", count);
        r->members->failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
        add_member(r, target->list.items.items[i],
                   checked_value(r, expr, evaluate_item(&r->scope, &values, i, expr->span)),
                   expr->span);
}

static void read_members(FnState *f, const EnumClass *class, Members *members)
{
    EnumReader r = { .scope = { .lower = f->lower,
                                .arena = f->arena,
                                .types = f->types,
                                .module = class->module,
                                .fn = arena_new(f->arena, IrFunc),
                                .constant_only = true,
                                .reachable = true },
                     .class = class,
                     .members = members };
    IrRegion nowhere = { 0 };
    const AstBody *body = &class->ast->class_.body;
    r.scope.region = &nowhere;
    table_init(&r.scope.names, f->arena);
    table_init(&members->values, f->arena);
    members->making = true;
    table_init(&r.texts, f->arena);
    for (int i = 0; i < body->count; i++)
        if (body->items[i]->kind == AST_ASSIGN)
            read_member(&r, body->items[i]);
    members->making = false;
}

/* The member that is spelled most like `name`, as the end of a message. */
static const char *member_advice(FnState *f, const Members *members, const char *name)
{
    const char **all = arena_array(f->arena, const char *, members->values.capacity + 1);
    size_t count = 0;
    for (size_t i = 0; i < members->values.capacity; i++)
        if (members->values.slots[i].name)
            all[count++] = members->values.slots[i].name;
    const char *near = diag_nearest(name, all, count);
    return near ? arena_printf(f->arena, "; did you mean '%s'?", near) : "";
}

static Members *members_of(FnState *f, const EnumClass *class)
{
    const char *key = arena_printf(f->arena, "%p", (const void *)class);
    Members *members = table_get(&f->lower->constants, key);
    if (!members || members->forgotten) {
        size_t mark = f->lower->diags->count;
        members = arena_new(f->arena, Members);
        table_put(&f->lower->constants, key, members);
        read_members(f, class, members);
        if (members->failed)
            failure_remember(f->lower, mark, &members->forgotten);
    }
    return members;
}

static IrValue *member_of(FnState *f, const EnumClass *class, IrValue *value, Span span)
{
    const Type *type = type_enum(f->types, &class->names, class->integer, value->type);
    IrValue *member = ir_value(f->arena, OP_tuple, type, span, 1);
    member->operands[0] = value;
    return member;
}

IrValue *enum_of_value(FnState *f, const EnumClass *class, IrValue *value, Span span)
{
    const Members *members = members_of(f, class);
    if (members->failed || !members->type)
        return lower_poison(f, span);
    if (value->type != members->type && !typing_can_store(value->type, members->type))
        return fail_value(f, span, "a member of '%s' is %s, and this is %s", class->names.name,
                          type_name(f->arena, members->type), type_name(f->arena, value->type));
    return member_of(f, class, convert(f, value, members->type, span), span);
}

Operand enum_member(FnState *f, const EnumClass *class, const char *name, Span span)
{
    const Members *members = members_of(f, class);
    IrValue *value = table_get(&members->values, name);
    if (members->making)
        return fail_operand(f, span, "'%s' is not there yet: its members are named without it",
                            class->names.name);
    if (!value) {
        if (!members->failed)
            fail(f, span, "'%s' has no member '%s'%s", class->names.name, name,
                 member_advice(f, members, name));
        return operand_error(span);
    }
    IrValue *here = arena_new(f->arena, IrValue);
    *here = *value;
    here->span = span;
    return operand_value(member_of(f, class, here, span));
}

/* The enumeration that a type is of: `names` stands first in it. */
static const EnumClass *class_of(const Type *type)
{
    return (const EnumClass *)(const void *)type->tuple.names;
}

static Operand text_of(FnState *f, const char *text, Span span)
{
    return operand_text(f->arena, text, strlen(text), span);
}

Operand enum_text(FnState *f, const IrValue *member, const AstExpr *expr)
{
    const EnumClass *class = class_of(member->type);
    const Members *members = members_of(f, class);
    const bool value = strcmp(expr->attribute.name, "value") == 0 && members->text;
    const bool name = f->constant_only && strcmp(expr->attribute.name, "name") == 0;
    const IrValue *held = member->op == OP_tuple ? member->operands[0] : NULL;
    if (!value && !name)
        return (Operand){ .kind = OPD_NONE };
    for (int i = 0; held && constant_is_known(held) && name && i < members->count; i++)
        if (literal_same(table_get(&members->values, members->order[i]), held))
            return text_of(f, members->order[i], expr->span);
    if (held && ir_is_constant(held) && value)
        return text_of(f, members->texts[held->constant.integer], expr->span);
    return fail_operand(f, expr->attribute.name_span,
                        "the %s of a member of '%s' is a text, which must be known here",
                        expr->attribute.name, class->names.name);
}

Operand enum_called(FnState *f, const Call *call, const EnumClass *class)
{
    const Members *members = members_of(f, class);
    const Operand *wanted = call->count == 1 ? &call->args[0] : NULL;
    for (int i = 0; wanted && !members->failed && i < members->count; i++) {
        const IrValue *value = table_get(&members->values, members->order[i]);
        const bool text = members->text && wanted->kind == OPD_STRING &&
                          strcmp(members->texts[value->constant.integer], wanted->string.text) == 0;
        if (text ||
            (!members->text && wanted->kind == OPD_VALUE && literal_same(value, wanted->value)))
            return enum_member(f, class, members->order[i], call->span);
    }
    if (!members->failed)
        fail(f, call->span, "this is no member of '%s' that kjit knows", class->names.name);
    return operand_error(call->span);
}

int64_t enum_count(FnState *f, const EnumClass *class)
{
    const Members *members = class->flags ? NULL : members_of(f, class); /* flags leave some out */
    return members && !members->failed && !members->making ? members->count : -1;
}

Operand enum_member_at(FnState *f, const EnumClass *class, int index, Span span)
{
    return enum_member(f, class, members_of(f, class)->order[index], span);
}

/* ---- use ------------------------------------------------------------------------------------ */

IrValue *plain_value(FnState *f, IrValue *value)
{
    return value->type->kind == TY_INT_ENUM ? ir_item(f->arena, value, 0, value->span) : value;
}

IrValue *compare_members(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    bool identity = op == AST_IS || op == AST_IS_NOT;
    bool unequal = op == AST_NE || op == AST_IS_NOT, equal = op == AST_EQ || op == AST_IS;
    if (left->type == right->type && (equal || unequal))
        return compare_values(f, equal ? AST_EQ : AST_NE, ir_item(f->arena, left, 0, span),
                              ir_item(f->arena, right, 0, span), span);
    if (identity) /* of something else */
        return ir_integer(f->arena, type_bool, op == AST_IS_NOT, span);
    IrValue *a = plain_value(f, left), *b = plain_value(f, right);
    if (!type_is_enum(a->type) && !type_is_enum(b->type))
        return compare_values(f, op, a, b, span);
    return fail_value(
        f, span,
        "cannot compare %s and %s with '%s': an Enum has no order, and its members equal one "
        "another alone",
        type_name(f->arena, left->type), type_name(f->arena, right->type), ast_op_spelling(op));
}
