/* The type of what control flow joins: numba's unification of two definitions. */
#include "ir/types/types.h"

/* One of them is None, or may be. */
static const Type *unify_optional(Types *types, const Type *a, const Type *b)
{
    if (a->kind == TY_NONE || b->kind == TY_NONE)
        return type_optional(types, a->kind == TY_NONE ? b : a);
    const Type *value = typing_unify(types, type_is_optional(a) ? type_optional_value(a) : a,
                                     type_is_optional(b) ? type_optional_value(b) : b);
    return value ? type_optional(types, value) : NULL;
}

static const Type *unify_tuples(Types *types, const Type *a, const Type *b)
{
    if (a->tuple.count != b->tuple.count || !type_same_names(a, b))
        return NULL;
    const Type **items = arena_array(types->arena, const Type *, a->tuple.count + 1);
    for (int i = 0; i < a->tuple.count; i++)
        if (!(items[i] = typing_unify(types, a->tuple.items[i], b->tuple.items[i])))
            return NULL;
    return type_tuple_named(types, items, a->tuple.count, a->tuple.names);
}

static const Type *unify_arrays(Types *types, const Type *a, const Type *b)
{
    if (a->array.element != b->array.element || a->array.rank != b->array.rank)
        return NULL;
    ArrayLayout layout = a->array.layout == b->array.layout ? a->array.layout : LAYOUT_A;
    const Type *like = a->array.readonly ? a : b;
    return type_array_like(types, like, a->array.element, a->array.rank, layout,
                           a->array.unaligned || b->array.unaligned);
}

const Type *typing_unify(Types *types, const Type *a, const Type *b)
{
    if (a == b || b->kind == TY_ERROR)
        return a;
    if (a->kind == TY_ERROR)
        return b;
    if (a->kind == TY_NONE || b->kind == TY_NONE || type_is_optional(a) || type_is_optional(b))
        return unify_optional(types, a, b);
    if (type_plain(a) != a || type_plain(b) != b)
        return type_is_enum(a) && type_is_enum(b)
                   ? NULL
                   : typing_unify(types, type_plain(a), type_plain(b));
    if (type_is_tuple(a) && type_is_tuple(b))
        return unify_tuples(types, a, b);
    if (type_is_array(a) && type_is_array(b))
        return unify_arrays(types, a, b);
    if (!type_is_scalar(a) || !type_is_scalar(b))
        return NULL;
    return typing_common(a, b);
}
