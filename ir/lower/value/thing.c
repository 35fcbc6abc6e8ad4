/* What is no value, a text, a type or a function, as an item of a tuple; and ranges as values.
**
** As in numba, each such thing is the one value of a type of its own: here that is a tuple without
** items, with the thing behind its names. So tuples of things are passed, taken apart and walked by
** literal_unroll() like all others, and whoever reads an item gets the thing. A range is a tuple of
** its three numbers, and so is a slice, of which some may be None. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

typedef struct NamedThing {
    TupleNames names; /* without items, by which such a type is known */
    Operand operand;
} NamedThing;

static const char *const parts[] = { "start", "stop", "step" };
static const TupleNames range_names = { "range", parts }, slice_names = { "slice", parts };

static const NamedThing *thing_of(const Type *type)
{
    bool thing = type->kind == TY_TUPLE && type->tuple.names && !type->tuple.names->items;
    return thing ? (const NamedThing *)type->tuple.names : NULL;
}

bool type_is_range(const Type *type)
{
    return type->kind == TY_TUPLE && type->tuple.names == &range_names;
}

bool type_is_slice(const Type *type)
{
    return type->kind == TY_TUPLE && type->tuple.names == &slice_names;
}

bool type_is_thing(const Type *type)
{
    return thing_of(type) || type_is_range(type) || type_is_slice(type);
}

static const Type *thing_type(FnState *f, Operand operand)
{
    const Hashes *interned = &f->types->interned;
    for (size_t i = 0; i < interned->capacity; i++) {
        const Type *type = interned->slots[i].item;
        const NamedThing *known = type ? thing_of(type) : NULL;
        if (known && operand_same(&known->operand, &operand))
            return type;
    }
    NamedThing *thing = arena_new(f->arena, NamedThing);
    thing->names.name = operand.kind == OPD_STRING
                            ? arena_printf(f->arena, "'%s'", operand.string.text)
                            : describe(f, operand);
    thing->operand = operand;
    return type_tuple_named(f->types, NULL, 0, &thing->names);
}

/* A range or a slice of three numbers, of which NULL stands for None. */
static IrValue *parts_value(FnState *f, IrValue *const numbers[3], const TupleNames *names,
                            Span span)
{
    const Type *items[3];
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_error, span, 3);
    for (int i = 0; i < 3; i++) {
        tuple->operands[i] =
            numbers[i] ? numbers[i] : ir_zero(f->arena, type_optional(f->types, type_none), span);
        items[i] = tuple->operands[i]->type;
    }
    tuple->type = type_tuple_named(f->types, items, 3, names);
    return tuple;
}

static IrValue *slice_value(FnState *f, const Operand *slice)
{
    IrValue *const numbers[] = { slice->slice.start, slice->slice.stop, slice->slice.step };
    return parts_value(f, numbers, &slice_names, slice->span);
}

IrValue *thing_value(FnState *f, Operand operand)
{
    switch (operand.kind) {
    case OPD_RANGE:
        return parts_value(f, operand.range, &range_names, operand.span);
    case OPD_SLICE:
        return slice_value(f, &operand);
    case OPD_FUNCTION:
        operand.function = closure_bind(f, operand.function, operand.span);
        if (operand.function && closure_values(operand.function, NULL)) {
            fail(f, operand.span, "'%s' reads what is no constant: it can be called here, no more",
                 operand.function->name);
            operand.function = NULL;
        }
        if (!operand.function)
            return lower_poison(f, operand.span);
        break;
    case OPD_INTRINSIC:
        if (ir_intrinsics[operand.intrinsic].rule == RULE_DIM3 ||
            operand.intrinsic == INTR_grid_group)
            return NULL;
        break;
    case OPD_STRING:
    case OPD_TYPE:
    case OPD_FIXED:
    case OPD_BUNDLE:
        break;
    default:
        return NULL;
    }
    return ir_value(f->arena, OP_tuple, thing_type(f, operand), operand.span, 0);
}

Operand thing_settled(FnState *f, Operand operand)
{
    bool numbers = operand.kind == OPD_RANGE || operand.kind == OPD_SLICE;
    return numbers ? operand_value(thing_value(f, operand)) : operand;
}

/* A part of a slice: NULL for None; a step that may be None is 1 then. */
static IrValue *slice_part(FnState *f, IrValue *slice, int part, Span span)
{
    IrValue *item = ir_item(f->arena, slice, part, span);
    if (operand_is_none(operand_value(item)))
        return NULL;
    if (part < 2 || !type_is_optional(item->type))
        return item;
    return ir_select(f->arena, ir_item(f->arena, item, 0, span), ir_item(f->arena, item, 1, span),
                     ir_integer(f->arena, type_int64, 1, span), span);
}

static Operand slice_operand(FnState *f, IrValue *slice, Span span)
{
    return (Operand){ .kind = OPD_SLICE,
                      .span = span,
                      .slice = { slice_part(f, slice, 0, span), slice_part(f, slice, 1, span),
                                 slice_part(f, slice, 2, span) } };
}

Operand thing_operand(FnState *f, Operand operand)
{
    if (operand.kind != OPD_VALUE || !type_is_thing(operand.value->type))
        return operand;
    Span span = operand.span;
    const NamedThing *thing = thing_of(operand.value->type);
    if (thing) {
        operand = thing->operand;
        operand.span = span;
        return operand;
    }
    IrValue *tuple = operand.value;
    if (tuple->op != OP_tuple)
        tuple = lower_stable(f, tuple, type_is_slice(tuple->type) ? "_slice" : "_range");
    if (type_is_slice(tuple->type))
        return slice_operand(f, tuple, span);
    Operand range = { .kind = OPD_RANGE, .span = span };
    for (int i = 0; i < 3; i++)
        range.range[i] = ir_item(f->arena, tuple, i, span);
    return range;
}

bool thing_is_in(const Operand *operand, const Type *tuple)
{
    for (int i = 0; i < tuple->tuple.count; i++) {
        const NamedThing *thing = thing_of(tuple->tuple.items[i]);
        if (thing && operand_same(&thing->operand, operand))
            return true;
    }
    return false;
}
